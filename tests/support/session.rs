//! A small program in two files, which the tests of the servers search.

/// Content of `app/session.py`: a session that is renewed, and a check.
pub const SESSION: &str = "from app.clock import now


class Session:
    def renew(self, token):
        \"\"\"Prolong the session by an hour if its token still counts.\"\"\"
        check(token)
        self.until = self.expiry()

    def expiry(self):
        return now() + 3600


def check(token):
    return bool(token)
";

/// Content of `app/clock.py`.
pub const CLOCK: &str = "def now():
    return 0
";
