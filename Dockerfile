# The server as an image, for SQLite or PostgreSQL, as server or worker:
#   docker build -t franchise . && docker run -p 8000:8000 -v franchise-data:/data -v franchise-cache:/cache franchise
FROM python:3.13.9-slim-bookworm AS build
RUN python -m venv /venv
WORKDIR /build
COPY pyproject.toml requirements-dev.txt README.md LICENSE ./
COPY src src
# The pins for development constrain the server's requirements.
RUN /venv/bin/pip install --no-cache-dir --constraint requirements-dev.txt '.[serve,push,postgres]'

FROM python:3.13.9-slim-bookworm
# A fixed user id, so that volumes keep their owner when the image is rebuilt.
RUN groupadd --gid 10001 franchise && useradd --uid 10001 --gid 10001 --no-create-home franchise \
    && install -d -o franchise -g franchise /data /cache
COPY --from=build /venv /venv
USER 10001:10001
# Kernels are compiled at the first start, for the processor that runs them; the volume keeps them for the next one.
ENV PATH=/venv/bin:$PATH \
    FRANCHISE_DATABASE=sqlite:////data/franchise.db \
    FRANCHISE_CACHE_DIR=/cache \
    FRANCHISE_LOG_FORMAT=json
VOLUME ["/data", "/cache"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["franchise", "serve", "--host", "0.0.0.0", "--no-browser"]
