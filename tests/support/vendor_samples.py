"""A made-up key of each vendor, in the shape that the vendor documents.

Put together here from parts, so that no scanner takes the repository for a leak.
"""

import base64
import random
import string

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
URL_SAFE = ALNUM + "-_"


class _Maker:
    """Draws characters that are the same in every run."""

    def __init__(self) -> None:
        self._random = random.Random("vendors")

    def some(self, count: int, characters: str = ALNUM) -> str:
        return "".join(self._random.choice(characters) for _ in range(count))

    def hex(self, count: int) -> str:
        return self.some(count, HEX)

    def upper(self, count: int) -> str:
        return self.some(count, UPPER)

    def safe(self, count: int) -> str:
        """Return characters of which the last is one that ends no word."""
        return self.some(count - 1, URL_SAFE) + self.some(1)


def _base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def make_samples() -> list[tuple[str, str]]:
    """Return the kind of each key, and a key; of kinds with several shapes, one of each."""
    m = _Maker()
    uuid = "-".join(m.hex(count) for count in (8, 4, 4, 4, 12))
    rows: list[tuple[str, str, str]] = [
        ("anthropic-key", "sk-", "ant-api03-" + m.safe(93) + "AA"),
        ("openai-key", "sk-", "proj-" + m.safe(120)),
        ("openai-key", "sk-", m.some(48)),
        ("openai-key", "sk-", "or-v1-" + m.hex(64)),
        *(("github-token", prefix, "_" + m.some(36)) for prefix in "ghp gho ghu ghs ghr".split()),
        ("github-token", "github", "_pat_" + m.some(22) + "_" + m.some(59)),
        *(
            ("gitlab-token", prefix, "-" + m.safe(20))
            for prefix in "glpat glptt glrt glrtr gldt gloas glsoat glcbt glft glimt glagent glwt"
            " glffct".split()
        ),
        ("slack-token", "xo", "xb-" + m.some(12, string.digits) + "-" + m.some(24)),
        ("slack-token", "xo", "xp-" + m.some(12, string.digits) + "-" + m.some(32)),
        ("slack-token", "xa", "pp-1-" + m.upper(11) + "-" + m.hex(64)),
        ("slack-webhook", "https://hooks.slack", f".com/services/T{m.upper(8)}/B{m.upper(10)}/"
         + m.some(24)),
        ("slack-webhook", "https://hooks.slack", f".com/workflows/T{m.upper(8)}/A{m.upper(10)}/"
         + m.some(18, string.digits) + "/" + m.some(24)),
        *(("aws-key", prefix, "A" + m.upper(16)) for prefix in "AKI ASI ABI ACC".split()),
        ("aws-bedrock-key", "AB", "SK" + m.some(128)),
        ("google-key", "AI", "za" + m.safe(35)),
        ("google-key", "ya", "29." + m.safe(120)),
        ("google-key", "GOC", "SPX-" + m.safe(28)),
        ("azure-storage-key", m.some(76), "+AS" + "t" + m.some(5) + "A=="),
        ("azure-client-secret", m.some(3) + "8", "Q~" + m.some(31)),
        ("azure-devops-token", m.some(76), "AZ" + "DO" + m.some(4)),
        ("azure-search-key", m.some(42), "Az" + "SeA" + m.some(5)),
        ("azure-function-key", m.some(44), "Az" + "Fu" + m.some(5) + "A=="),
        ("signature", f"https://x.blob.core.windows.net/c?sv=2024-11-04&{'s'}ig=",
         m.some(20) + "%2B" + m.some(21) + "%3D"),
        ("npm-token", "np", "m_" + m.some(36)),
        ("pypi-token", "py", "pi-AgEIcHlwaS5vcmc" + m.safe(140)),
        ("rubygems-key", "ruby", "gems_" + m.hex(48)),
        ("docker-token", "dckr", "_pat_" + m.safe(27)),
        ("docker-token", "dckr", "_oat_" + m.safe(32)),
        ("huggingface-token", "h", "f_" + m.some(34)),
        ("huggingface-token", "api", "_org_" + m.some(34)),
        ("groq-key", "gs", "k_" + m.some(52)),
        ("xai-key", "xa", "i-" + m.some(80)),
        ("perplexity-key", "pp", "lx-" + m.some(48)),
        ("replicate-token", "r", "8_" + m.some(37)),
        ("pinecone-key", "pc", "sk_" + m.some(6) + "_" + m.some(62)),
        *(("stripe-key", f"{prefix}k", f"_{mode}_" + m.some(24))
          for prefix in "sr" for mode in ("live", "test")),
        ("stripe-key", "wh", "sec_" + m.some(32)),
        ("square-token", "sq", "0atp-" + m.safe(22)),
        ("square-token", "sq", "0csp-" + m.safe(43)),
        *(("shopify-token", "shp", f"{letters}_" + m.hex(32)) for letters in "at ca pa ss".split()),
        ("sendgrid-key", "S", "G." + m.safe(22) + "." + m.safe(43)),
        ("mailgun-key", "ke", "y-" + m.hex(32)),
        ("mailchimp-key", m.hex(32), "-us" + "12"),
        ("brevo-key", "xkey", "sib-" + m.hex(64) + "-" + m.some(16)),
        ("twilio-key", "S", "K" + m.hex(32)),
        ("telegram-bot-token", m.some(10, string.digits) + ":A", "A" + m.safe(33)),
        ("discord-webhook", "https://discord", ".com/api/webhooks/" + m.some(19, string.digits)
         + "/" + m.safe(68)),
        *(
            ("discord-token", _base64(first + m.some(count, string.digits)),
             "." + m.safe(6) + "." + m.safe(38))
            for first in "123456789" for count in (16, 17, 18, 19)
        ),
        *(("digitalocean-token", "d", f"{letter}_v1_" + m.hex(64))
          for letter in ("op", "oo", "or")),
        *(("cloudflare-token", "cf", f"{letters}_" + m.some(48)) for letters in ("k", "ut", "at")),
        ("cloudflare-origin-key", "v1", ".0-" + m.hex(24) + "-" + m.hex(146)),
        *(("vercel-token", "vc", f"{letter}_" + m.some(56)) for letter in "pak"),
        ("vercel-token", "vercel", "_blob_rw_" + m.some(16) + "_" + m.some(30)),
        ("netlify-token", "nf", "p_" + m.some(36)),
        ("heroku-key", "HR", "KU-" + "AA" + m.safe(58)),
        *(("flyio-token", "fm", f"{mark}_" + m.some(500)) for mark in "1 1a 1r 2".split()),
        ("supabase-key", "sb", "p_" + m.hex(40)),
        ("supabase-key", "sb", "_secret_" + m.safe(31)),
        *(("planetscale-token", "pscale", f"_{mark}_" + m.safe(43))
          for mark in "tkn pw oauth".split()),
        ("databricks-token", "da", "pi" + m.hex(32)),
        ("databricks-token", "da", "pi" + m.hex(32) + "-2"),
        ("airtable-token", "pa", "t" + m.some(14) + "." + m.hex(64)),
        *(("vault-token", "hv", f"{letter}." + m.safe(90)) for letter in "sbr"),
        *(("doppler-token", "dp", f".{mark}." + m.some(43)) for mark in
          "pt ct sa scim audit".split()),
        ("doppler-token", "dp", ".st.prd." + m.some(43)),
        ("1password-token", "ops", "_eyJ" + m.some(700)),
        ("terraform-token", m.some(14), ".atlas" + "v1." + m.safe(67)),
        ("pulumi-token", "pu", "l-" + m.hex(40)),
        ("tailscale-key", "ts", "key-auth-" + m.some(17) + "-" + m.some(32)),
        ("grafana-token", "gl", "sa_" + m.some(32) + "_" + m.hex(8)),
        ("grafana-token", "gl", "c_" + m.some(100) + "=="),
        ("sentry-token", "sn", "trys_eyJ" + m.some(120) + "==_" + m.some(43)),
        ("sentry-token", "sn", "tryu_" + m.hex(64)),
        ("newrelic-key", "NR", "AK-" + m.upper(27)),
        ("newrelic-key", "NR", "II-" + m.safe(32)),
        ("newrelic-key", "NR", "IQ-" + m.safe(32)),
        ("newrelic-key", m.hex(36), "NR" + "AL"),
        ("dynatrace-token", "dt", "0c01." + m.upper(24) + "." + m.upper(64)),
        ("notion-token", "nt", "n_" + m.some(11, string.digits) + m.some(35)),
        ("notion-token", "sec", "ret_" + m.some(43)),
        ("linear-key", "lin", "_api_" + m.some(40)),
        ("linear-key", "lin", "_oauth_" + m.hex(64)),
        ("figma-token", "fi", "gd_" + m.safe(40)),
        ("postman-key", "PM", "AK-" + m.hex(24) + "-" + m.hex(34)),
        *(("atlassian-token", "AT", f"{letter}TT3xFfGF0" + m.safe(170) + "=" + m.upper(8))
          for letter in "ACS"),
        ("bitbucket-token", "AT", "BB" + m.some(32)),
        ("contentful-token", "CF", "PAT-" + m.safe(43)),
        ("hubspot-token", "pa", "t-na1-" + uuid),
        ("hubspot-token", "pa", "t-eu1-" + uuid),
        ("circleci-token", "CC", "IPAT_" + m.some(22) + "_" + m.hex(40)),
        ("buildkite-token", "bk", "ua_" + m.hex(40)),
        *(("sonar-token", "sq", f"{letter}_" + m.hex(40)) for letter in "pua"),
        ("age-key", "AGE-SEC", "RET-KEY-1" + m.upper(58)),
        ("tavily-key", "tv", "ly-dev-" + m.some(32)),
        ("dropbox-token", "sl", ".u." + m.safe(140)),
        ("fireworks-key", "f", "w_" + m.some(24)),
        ("google-token", "1/", "/0" + m.safe(60)),
        ("e2b-key", "e2", "b_" + m.hex(40)),
        ("facebook-token", "EA", "A" + m.some(120)),
        ("mapbox-token", "sk", ".eyJ1Ijoi" + m.some(60) + "." + m.safe(22)),
        ("typeform-token", "tf", "p_" + m.safe(44) + "_" + m.some(14)),
        ("nuget-key", "oy", "2" + m.some(43, HEX)),
        ("braintree-token", "access", "_token$production$" + m.hex(16) + "$" + m.hex(32)),
        ("wakatime-key", "wa", "ka_" + uuid),
        ("astra-token", "Astra", "CS:" + m.some(24) + ":" + m.hex(64)),
        ("gocardless-token", "li", "ve_" + m.safe(40)),
        ("elevenlabs-key", "s", "k_" + m.hex(48)),
        ("twitter-token", "A" * 20, "AA" + m.some(90)),
        ("crates-token", "ci", "o" + m.some(32)),
        ("plaid-token", "access", "-production-" + uuid),
        ("brave-key", "BS", "A" + m.safe(28)),
        ("teams-webhook", "https://x.webhook.office.com/y/Incoming", "Webhook/" + m.hex(32)),
        ("zapier-webhook", "https://hooks.zapier", ".com/hooks/catch/" + m.some(8, string.digits)
         + "/" + m.some(7)),
        ("firecrawl-key", "f", "c-" + m.hex(32)),
        *(("voyage-key", mark, "-" + m.safe(43)) for mark in ("pa", "al")),
        ("inngest-key", "sign", "key-prod-" + m.hex(64)),
        *(("trigger-key", "tr", f"_{mark}_" + m.some(count)) for mark, count in
          (("dev", 20), ("prod", 20), ("stg", 20), ("pat", 40), ("prod_sk", 24))),
        *(("axiom-token", mark, "t-" + uuid) for mark in ("xaa", "xap")),
        ("logfire-token", "py", "lf_v1_us_" + m.some(40)),
        *(("launchdarkly-key", mark, "-" + uuid) for mark in ("sdk", "api")),
        *(("password-hash", mark, m.some(8) + "$" + m.some(60))
          for mark in ("$1$", "$5$", "$6$", "$apr1$", "$y$")),
        *(("password-hash", mark, "$12$" + m.some(53)) for mark in ("$2a", "$2b", "$2y")),
        ("password-hash", "$argon2id", "$v=19$m=65536,t=3,p=4$" + m.some(22) + "$" + m.some(43)),
        ("jwt", "ey", "JhbGciOiJIUzI1NiJ9." + "ey" + "J" + m.safe(80) + "." + m.safe(43)),
    ]  # fmt: skip
    return [(kind, begin + rest) for kind, begin, rest in rows]
