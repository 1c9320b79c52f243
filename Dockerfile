# The server as an image: docker build -t franchise . && docker run -p 8000:8000 -v franchise:/data franchise
FROM python:3.13-slim

RUN useradd --system franchise && install -d -o franchise /data /var/cache/franchise
WORKDIR /app
COPY pyproject.toml requirements-dev.txt README.md LICENSE ./
COPY src src
# The pins of development constrain what the server needs; then the kernels are compiled once, into the image.
RUN pip install --no-cache-dir --constraint requirements-dev.txt '.[serve,postgres]'
USER franchise
ENV FRANCHISE_DATABASE=sqlite:////data/franchise.db \
    FRANCHISE_CACHE_DIR=/var/cache/franchise \
    FRANCHISE_LOG_FORMAT=json
RUN python -m franchise.bots
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["franchise", "serve", "--host", "0.0.0.0", "--no-browser"]
