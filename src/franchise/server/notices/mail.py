"""E-mail over SMTP: plain text with an HTML copy in which everything is escaped."""

import re
import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from email.policy import default
from email.utils import formatdate, make_msgid

from markupsafe import Markup, escape

from franchise.server.notices.safe_http import Gone, Unsure
from franchise.server.settings import Settings

TIMEOUT_S = 15.0
# No line is folded for its length: that would make encoded words of the address in List-Unsubscribe (RFC 8058).
# Seven bits: not every mail server takes eight.
UNFOLDED = default.clone(max_line_length=998, cte_type="7bit")
PERMANENT = 500  # and above: permanent errors of a mail server


def compose(
    sender: str, to: str, subject: str, lines: list[str], links: list[tuple[str, str]], unsubscribe: str | None = None
) -> EmailMessage:
    """A message of a few lines and links (label, address)."""
    message = EmailMessage(UNFOLDED)
    message["From"], message["To"] = sender, to
    message["Subject"] = re.sub(r"[ \t\r\n\v\f]+", " ", subject)  # no-break spaces stay
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2].rstrip(">"))
    message["Auto-Submitted"] = "auto-generated"
    if unsubscribe is not None:
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content("\n".join([*lines, "", *(f"{what}\n{where}" for what, where in links)]) + "\n")
    shown = [Markup("<p>{}</p>").format(line) for line in lines]
    shown += [Markup('<p><a href="{}">{}</a></p>').format(where, what) for what, where in links]
    message.add_alternative(f"<!doctype html><html><body>{escape(Markup().join(shown))}</body></html>", subtype="html")
    return message


def is_email(address: str) -> bool:
    """Whether a text is an e-mail address: a name and a domain of several parts."""
    name, _, domain = address.partition("@")
    parts = domain.split(".")
    plain = address.isascii() and address.isprintable() and not set(address) & set(' <>",;:\\()[]')
    whole = all(name.split(".")) and all(part.strip("-") == part != "" for part in parts)
    return plain and whole and len(parts) > 1 and "@" not in domain and len(address) <= 254


def send(message: EmailMessage, settings: Settings) -> None:
    """Send a message through the mail server. Blocks: call it in a thread.

    Raises smtplib.SMTPException or OSError if it may work later, Gone if it will not, Unsure if it may have arrived.
    """
    server = connected(settings)
    try:
        server.send_message(message)
    except OSError as error:  # what smtplib raises is one too
        if refused_for_good(error):
            raise Gone(f"the mail server refuses it ({type(error).__name__})") from None
        if isinstance(error, smtplib.SMTPException) and not isinstance(error, smtplib.SMTPServerDisconnected):
            raise
        raise Unsure(f"the mail server does not answer ({type(error).__name__})") from None
    finally:
        with suppress(smtplib.SMTPException, OSError):
            server.quit()


def refused_for_good(error: OSError) -> bool:
    """Whether a mail server refuses a message permanently."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= PERMANENT


def connected(settings: Settings) -> smtplib.SMTP:
    """A connection to the mail server, before anything has been sent."""
    assert settings.smtp_host is not None
    context = ssl.create_default_context()
    server: smtplib.SMTP
    if settings.smtp_security == "tls":
        server = smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_S, context=context)
    else:
        server = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT_S)
    try:
        if settings.smtp_security == "starttls":
            server.starttls(context=context)
        if settings.smtp_user and settings.smtp_password:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
    except BaseException:
        server.close()
        raise
    return server
