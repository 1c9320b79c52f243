"""The catalogues of the web table, one .po file per language; `messages` keeps them up to date."""
