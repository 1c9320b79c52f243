"""franchise vapid: the key of a server for Web Push."""

from franchise.cli.arguments import require_libraries


def vapid() -> None:
    """Generate a key for Web Push, to be set as FRANCHISE_VAPID_KEY. Keep it: subscriptions depend on it."""
    require_libraries("vapid", "push", "pywebpush", "cryptography")
    from franchise.server.notices.web_push import new_key

    print(new_key())
