"""E-mail over SMTP: plain text with an HTML copy in which everything is escaped."""

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from markupsafe import Markup, escape

from franchise.server.settings import Settings

SECONDS = 15.0


def letter(
    sender: str, to: str, subject: str, lines: list[str], links: list[tuple[str, str]], unsubscribe: str | None = None
) -> EmailMessage:
    """A message of some lines and some links (what, where)."""
    message = EmailMessage()
    message["From"], message["To"] = sender, to
    message["Subject"] = " ".join(subject.split())
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2].rstrip(">"))
    message["Auto-Submitted"] = "auto-generated"
    if unsubscribe is not None:
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content("\n".join([*lines, "", *(f"{what}: {where}" for what, where in links)]) + "\n")
    shown = [Markup("<p>{}</p>").format(line) for line in lines]
    shown += [Markup('<p><a href="{}">{}</a></p>').format(where, what) for what, where in links]
    message.add_alternative(f"<!doctype html><html><body>{escape(Markup().join(shown))}</body></html>", subtype="html")
    return message


def send(message: EmailMessage, settings: Settings) -> None:
    """Hand a message to the mail server; smtplib.SMTPException or OSError. Blocks: call it in a thread."""
    assert settings.smtp_host is not None
    context = ssl.create_default_context()
    server: smtplib.SMTP
    if settings.smtp_security == "tls":
        server = smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=SECONDS, context=context)
    else:
        server = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=SECONDS)
    with server:
        if settings.smtp_security == "starttls":
            server.starttls(context=context)
        if settings.smtp_user and settings.smtp_password:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        server.send_message(message)
