#!/usr/bin/env python3
"""Invoicing and settlement network service, in memory, two dialects.

    python3 server.py --port 0 --dialect one|two

Everything the interface specification states is kept the same in both dialects; everything it
leaves open is decided by the classes One and Two below.  Standard library only, Python 3.9+.
"""
import argparse
import collections
import datetime
import functools
import hashlib
import heapq
import hmac
import http.client
import itertools
import json
import os
import queue
import random
import re
import secrets
import signal
import stat
import sys
import threading
import time
import traceback
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

SANDBOX, PRODUCTION = "SANDBOX", "PRODUCTION"
STATES = ["DRAFT", "SUBMITTED", "APPROVED", "DISPUTED", "SETTLED", "CANCELLED"]
OFFERED = {
    "DRAFT": ("SUBMIT", "DELETE"),
    "SUBMITTED": ("APPROVE", "DISPUTE", "CANCEL"),
    "APPROVED": ("SETTLE",),
    "DISPUTED": ("RESOLVE",),
    "SETTLED": (),
    "CANCELLED": (),
}
UUID_RE = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
DATE_RE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
MAX_BODY = 1 << 20
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ISO4217 = set("""AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN
BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD
KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER
ZAR ZMW ZWL""".split())


# ------------------------------------------------------------------------------------ small tools

class ApiError(Exception):
    def __init__(self, status, code, error, message=None, details=None, headers=None):
        Exception.__init__(self, code)
        self.status, self.code, self.error = status, code, error
        self.message, self.details, self.headers = message, details, headers or {}


class Reply(object):
    __slots__ = ("status", "body", "headers")

    def __init__(self, status, body, headers=None):
        self.status, self.body, self.headers = status, body, headers or {}


class Caller(object):
    """Whoever acts: the key's organization, environment and permission."""
    __slots__ = ("org", "env", "read_only")

    def __init__(self, org, env, read_only=False):
        self.org, self.env, self.read_only = org, env, read_only


_clock_lock = threading.Lock()
_clock_last = [0]


def now_us():
    """Wall clock in microseconds, strictly increasing inside this process."""
    with _clock_lock:
        value = max(time.time_ns() // 1000, _clock_last[0] + 1)
        _clock_last[0] = value
        return value


def utc(us):
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=us)


@functools.lru_cache(maxsize=20000)
def iso_second(second):
    return utc(second * 1000000).strftime("%Y-%m-%dT%H:%M:%S")


def today():
    return datetime.datetime.now(datetime.timezone.utc).date()


def money(cents):
    return "%d.%02d" % (cents // 100, cents % 100)


def valid_date(text):
    if not DATE_RE.fullmatch(text):
        return None
    try:
        return datetime.date(int(text[:4]), int(text[5:7]), int(text[8:10]))
    except ValueError:
        return None


def no_constant(name):
    raise ValueError("%s is not JSON" % name)


def short_int(text):
    if len(text) > 60:
        raise ValueError("number too long")
    return int(text)


def distinct_pairs(pairs):
    result = {}
    for name, value in pairs:
        if name in result:
            raise ValueError("duplicate member " + json.dumps(name))
        result[name] = value
    return result


class Scheduler(threading.Thread):
    """Runs callables at a later time, one thread for all."""

    def __init__(self):
        threading.Thread.__init__(self, daemon=True)
        self.heap, self.cond, self.order = [], threading.Condition(), itertools.count()
        self.start()

    def later(self, delay, call):
        with self.cond:
            heapq.heappush(self.heap, (time.monotonic() + delay, next(self.order), call))
            self.cond.notify()

    def run(self):
        while True:
            with self.cond:
                while not self.heap or self.heap[0][0] > time.monotonic():
                    self.cond.wait(self.heap[0][0] - time.monotonic() if self.heap else None)
                call = heapq.heappop(self.heap)[2]
            try:
                call()
            except Exception:
                traceback.print_exc()


class Courier(object):
    """Posts webhook deliveries from worker threads; a dead receiver holds up nobody else for long."""

    def __init__(self, dialect, scheduler):
        self.dialect, self.scheduler = dialect, scheduler
        self.queue = queue.Queue()
        for _ in range(12):
            threading.Thread(target=self.work, daemon=True).start()

    def send(self, url, headers, body, attempt=0):
        self.queue.put((url, headers, body, attempt))

    def work(self):
        while True:
            url, headers, body, attempt = self.queue.get()
            if self.post(url, headers, body):
                continue
            waits = self.dialect.webhook_retries
            if attempt < len(waits):
                self.scheduler.later(waits[attempt], lambda u=url, h=headers, b=body, a=attempt:
                                     self.send(u, h, b, a + 1))

    @staticmethod
    def post(url, headers, body):
        connection = None
        try:
            parts = urlsplit(url)
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            connection = kind(parts.hostname, parts.port, timeout=2.5)
            path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
            return 200 <= status < 300
        except Exception:
            return False
        finally:
            if connection is not None:
                connection.close()


# ------------------------------------------------------------------------------------ the dialects

class One(object):
    """A tidy REST house: a sub-resource per action, bare records, drafts private to the seller."""
    name = "one"
    prefix = ""
    default_currency = "EUR"
    default_limit = 25
    default_sort = ("createdAt", "desc")
    order_when_missing = "asc"
    initial = "DRAFT"
    drafts_shown_to_buyer = False
    list_lag = 0.0
    delays = {"SETTLE": 0.35}
    webhook_delay = 0.0
    webhook_retries = (0.4,)
    roles = {"SUBMIT": ("seller",), "DELETE": ("seller",), "CANCEL": ("seller",), "APPROVE": ("buyer",),
             "DISPUTE": ("buyer",), "SETTLE": ("buyer",), "RESOLVE": ("buyer",)}
    # a resolved dispute counts as accepted by the buyer
    result = {"SUBMIT": "SUBMITTED", "APPROVE": "APPROVED", "DISPUTE": "DISPUTED", "CANCEL": "CANCELLED",
              "SETTLE": "SETTLED", "RESOLVE": "APPROVED"}
    kinds = {"CREATE": ["INVOICE_CREATED"], "SUBMIT": ["INVOICE_SUBMITTED", "BOOKING_CREATED"],
             "APPROVE": ["INVOICE_APPROVED", "BOOKING_UPDATED"], "DISPUTE": ["INVOICE_DISPUTED"],
             "CANCEL": ["INVOICE_CANCELLED"], "DELETE": ["INVOICE_DELETED"],
             "SETTLE": ["PAYMENT_COMPLETED", "BOOKING_UPDATED"], "RESOLVE": ["INVOICE_RESOLVED"]}
    settle_uses_balance = False          # sandbox payments are simulated by a test bank
    production_may_reset = False
    reset_gives_key = False
    rate = None
    unauthorized = b'{"message":"Invalid API key or API secret.","error":"Unauthorized"}'
    code_query, code_body, code_forbidden, code_conflict = "GW_BAD_QUERY", "INV002", "AUTH003", "INV009"
    code_type = "INV002"
    idem_by_target = False

    # -- forms
    def new_id(self, us):
        value = (us // 1000 << 80) | secrets.randbits(80)
        return "".join(CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))

    def number(self, connection, n):
        return "%s/%d-%05d" % (connection["tag"], today().year % 100, n)

    def when(self, us):
        text = iso_second(us // 1000000)
        fraction = ("%06d" % (us % 1000000)).rstrip("0")
        return text + ("." + fraction if fraction else "") + "Z"

    def dumps(self, value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")

    def record(self, inv, viewer, full=False):
        return {
            "id": inv["id"], "invoiceNumber": inv["number"], "status": inv["status"],
            "amount": money(inv["cents"]), "currency": inv["currency"],
            "sellerOrganizationId": inv["seller"], "buyerOrganizationId": inv["buyer"],
            "dueDate": inv["due"], "description": inv["desc"],
            "createdAt": self.when(inv["created"]), "lastChangedAt": self.when(inv["changed"]),
            "revision": inv["revision"], "paymentPending": inv["pending"] == "SETTLE",
            "openActions": sorted(OFFERED[inv["status"]]),
        }

    sort_keys = {"amount": lambda i: i["cents"], "createdAt": lambda i: i["created"],
                 "lastChangedAt": lambda i: i["changed"], "id": lambda i: i["id"],
                 "invoiceNumber": lambda i: i["number"], "status": lambda i: i["status"],
                 "dueDate": lambda i: i["due"], "currency": lambda i: i["currency"],
                 "description": lambda i: (i["desc"] is not None, i["desc"] or "")}
    tie_follows_order = False

    def error(self, err):
        body = {"code": err.code, "error": err.error}
        if err.message is not None:
            body["message"] = err.message
        body["traceId"] = uuid.uuid4().hex
        return body

    def extra_headers(self):
        return [("Server", "settlement-net"), ("Cache-Control", "no-store"), ("X-Trace", secrets.token_hex(6))]

    content_type = "application/json; charset=utf-8"
    lower_headers = False
    chunk_over = None
    close_every = 0

    # -- queries
    def page_and_limit(self, args):
        page, limit = 0, self.default_limit
        for name in ("page", "limit"):
            raw = args.get(name)
            if raw is None:
                continue
            if not re.fullmatch(r"[0-9]{1,18}", raw):
                raise ApiError(400, self.code_query, "Bad query", "%s must be a whole number, zero or more" % name)
            if name == "page":
                page = int(raw)
            else:
                limit = min(int(raw), 100)
        if limit < 1:
            raise ApiError(400, self.code_query, "Bad query", "limit must be at least 1")
        return page, limit

    def clamp_page(self, page, pages):
        return page                      # past the end: an empty page

    def query_args(self, pairs, known):
        args = {}
        for name, value in pairs:
            args.setdefault(name, value)
        return args

    def sorting(self, args, known):
        field, order = args.get("sortBy"), args.get("sortOrder")
        if order is not None and order not in ("asc", "desc"):
            raise ApiError(400, self.code_query, "Bad query", "sortOrder must be asc or desc")
        if field is None:
            return self.default_sort[0], order or self.default_sort[1]
        if field not in known:
            raise ApiError(400, self.code_query, "Bad query", "sortBy does not name a field of the record")
        return field, order or self.order_when_missing

    # -- amounts, dates, currencies
    amount_re = re.compile(r"(0|[1-9][0-9]{0,14})\.[0-9]{2}")
    zero_allowed = False
    null_is_absent = True

    def cents(self, text):
        if not isinstance(text, str) or not self.amount_re.fullmatch(text):
            return None
        whole, _, fraction = text.partition(".")
        value = int(whole) * 100 + int((fraction + "00")[:2])
        return value if value or self.zero_allowed else None

    def currency(self, text):
        return text if re.fullmatch(r"[A-Z]{3}", text) else None

    def due(self, text):
        day = valid_date(text)
        return None if day is None else day.isoformat()

    description_limit = None
    request_id_range = (1, 4000)
    duplicate_members = True
    json_type_needed = False

    # -- refusals
    def refuse_state(self, inv, action):
        if inv["pending"]:
            return ApiError(409, self.code_conflict, "A payment of this invoice is already under way")
        return ApiError(412, "INV004", "This invoice does not offer that action in its present status")

    def refuse_role(self, inv, action):
        return ApiError(403, self.code_forbidden, "The other party of the invoice has to do this")

    def refuse_foreign_seller(self, caller, body):
        if body["buyerId"].lower() == caller.org:
            return ApiError(403, self.code_forbidden, "Only the selling organization issues invoices")
        return ApiError(404, "CONN003", "No such connection")

    def same_parties(self):
        return ApiError(400, "INV002", "Invoice not valid", "sellerId and buyerId are the same organization")

    def no_route(self, allowed):
        return ApiError(404, "GW_NO_ROUTE", "Nothing is served at this method and path")

    # -- answers
    def created(self, inv, caller):
        return 201, self.record(inv, caller.org), {"Location": "/api/v1/invoices/" + inv["id"]}

    def acted(self, action, inv, caller, extra):
        record = self.record(inv, caller.org)
        if action == "DELETE":
            return 204, None, {}
        if action == "DISPUTE":
            return 201, {"dispute": {"id": extra, "openedAt": self.when(inv["changed"])}, "invoice": record}, {}
        if action == "SETTLE":
            return 202, {"payment": {"id": extra, "state": "PENDING"}, "invoice": record}, {}
        return 200, record, {}

    def read(self, inv, caller):
        return 200, self.record(inv, caller.org), {"ETag": '"%d"' % inv["revision"]}

    def balance(self, cents, us):
        return 200, {"available": money(cents), "currency": "EUR", "asOf": self.when(us)}, {}

    def withdrawn(self, ident, cents, left, us):
        return 201, {"withdrawal": {"id": ident, "amount": money(cents), "state": "PAID_OUT",
                                    "createdAt": self.when(us)}, "remaining": money(left)}, {}

    def subscribed(self, sub):
        return 201, {"id": sub["id"], "url": sub["url"], "eventTypes": sub["kinds"], "enabled": True,
                     "createdAt": self.when(sub["created"])}, {}

    def reset_done(self, counts, key):
        return 200, {"environment": SANDBOX, "cleared": counts}, {}

    # -- webhooks
    needs_signing_secret = True
    known_kinds = None

    def deliveries(self, sub, kinds, inv):
        for kind in kinds:
            body = self.dumps({"id": "evt_" + secrets.token_hex(9), "type": kind, "environment": inv["env"],
                               "occurredAt": self.when(inv["changed"]),
                               "data": {"invoice": self.record(inv, sub["org"])}})
            sign = hmac.new(sub["secret"].encode("utf-8"), body, hashlib.sha256).hexdigest()
            yield {"Content-Type": "application/json", "X-Signature": "sha256=" + sign,
                   "X-Event-Type": kind}, body

    def operations(self):
        one = "/api/v1/invoices/{id}"
        return {
            "read": {"method": "GET", "path": one},
            "submit": {"method": "POST", "path": one + "/submission", "actor": "seller"},
            "approve": {"method": "PUT", "path": one + "/approval", "actor": "buyer"},
            "dispute": {"method": "POST", "path": one + "/disputes", "actor": "buyer",
                        "body": {"reason": "{text}"}},
            "cancel": {"method": "POST", "path": one + "/cancellation", "actor": "seller",
                       "body": {"comment": "{text}"}},
            "settle": {"method": "POST", "path": one + "/payments", "actor": "buyer",
                       "body": {"source": "BALANCE"}},
            "delete": {"method": "DELETE", "path": one, "actor": "seller"},
            "resolve": {"method": "PATCH", "path": one + "/dispute", "actor": "buyer",
                        "body": {"notes": "{text}"}},
            "treasuryBalance": {"method": "POST", "path": "/api/v1/treasury/balance-inquiries",
                                "actor": "seller"},
            "treasuryWithdraw": {"method": "POST", "path": "/api/v1/treasury/withdrawals", "actor": "seller",
                                 "body": {"amount": "{amount}", "reference": "{text}"}},
        }

    def routes(self, api):
        one = r"/api/v1/invoices/([^/]+)"

        def act(action, fields):
            return lambda req, ident: api.act(req, action, ident, req.json(fields))

        rid = {"requestId": ("requestId", False)}
        text = ("text", True)
        return [
            ("GET", r"/api/v1/invoices", False, api.list_invoices),
            ("POST", r"/api/v1/invoices", True, api.create),
            ("GET", one, False, api.read),
            ("DELETE", one, True, act("DELETE", {})),
            ("POST", one + "/submission", True, act("SUBMIT", rid)),
            ("PUT", one + "/approval", True, act("APPROVE", {})),
            ("POST", one + "/disputes", True, act("DISPUTE", {"reason": text})),
            ("PATCH", one + "/dispute", True, act("RESOLVE", {"notes": text, "adjustedAmount": ("amount", False)})),
            ("POST", one + "/cancellation", True, act("CANCEL", {"comment": ("text", False)})),
            ("POST", one + "/payments", True, act("SETTLE", {"source": ("text", False)})),
            ("GET", r"/api/v1/bookings", False, api.list_bookings),
            ("POST", r"/api/v1/treasury/balance-inquiries", False,
             lambda req: api.balance(req, req.json(rid))),
            ("POST", r"/api/v1/treasury/withdrawals", True, lambda req: api.withdraw(
                req, req.json(dict(rid, amount=("amount", True), reference=("text", False))))),
            ("POST", r"/api/v1/settings/webhooks", True, api.subscribe),
            ("POST", r"/api/v1/settings/api-keys/sandbox/reset", True,
             lambda req: api.reset(req, req.json({}))),
        ]


class Two(One):
    """A command-style house behind a gateway: everything wrapped, lists served from a read model."""
    name = "two"
    prefix = "/edge/b2b"
    default_currency = "CHF"
    default_limit = 12
    default_sort = ("dueDate", "asc")
    order_when_missing = "desc"
    initial = "SUBMITTED"                # an issued invoice goes out at once
    drafts_shown_to_buyer = True
    list_lag = 0.1
    delays = {"APPROVE": 0.22}
    webhook_delay = 0.3
    webhook_retries = (0.2, 0.6, 1.5)
    roles = {"SUBMIT": ("seller",), "DELETE": ("seller",), "CANCEL": ("seller", "buyer"),
             "APPROVE": ("buyer",), "DISPUTE": ("buyer",), "SETTLE": ("buyer",), "RESOLVE": ("seller",)}
    # a resolved dispute gives the seller a draft to correct and send anew
    result = {"SUBMIT": "SUBMITTED", "APPROVE": "APPROVED", "DISPUTE": "DISPUTED", "CANCEL": "CANCELLED",
              "SETTLE": "SETTLED", "RESOLVE": "DRAFT"}
    kinds = {"CREATE": ["INVOICE_ISSUED"], "SUBMIT": ["INVOICE_ISSUED"], "APPROVE": ["BOOKING_CREATED"],
             "DISPUTE": ["INVOICE_DISPUTED"], "CANCEL": ["INVOICE_VOIDED"], "DELETE": ["INVOICE_VOIDED"],
             "SETTLE": ["BOOKING_UPDATED", "PAYMENT_COMPLETED"], "RESOLVE": ["INVOICE_REOPENED"]}
    known_kinds = {"BOOKING_CREATED", "BOOKING_UPDATED", "PAYMENT_COMPLETED", "INVOICE_ISSUED",
                   "INVOICE_APPROVED", "INVOICE_DISPUTED", "INVOICE_VOIDED", "INVOICE_REOPENED"}
    settle_uses_balance = True           # play money of the sandbox changes hands
    production_may_reset = True
    reset_gives_key = True
    rate = 80
    unauthorized = (b'{"error": "unauthorized", "message": "The API key or its secret is not valid", '
                    b'"status": 401}')
    code_query, code_body, code_forbidden, code_conflict = "VAL001", "VAL003", "GW_FORBIDDEN", "INV030"
    code_type = "VAL002"
    idem_by_target = True
    _snow = itertools.count(random.randrange(4096))

    def new_id(self, us):
        return str(((us // 1000 - 1600000000000) << 20) | (secrets.randbits(10) << 10) | (next(self._snow) & 1023))

    def number(self, connection, n):
        return str(n)

    def when(self, us):
        return iso_second(us // 1000000) + "+00:00"

    def dumps(self, value):
        return json.dumps(value, sort_keys=True).encode("ascii")

    def record(self, inv, viewer, full=False):
        record = {
            "id": inv["id"], "invoiceNumber": inv["number"], "status": inv["status"],
            "amount": money(inv["cents"]), "currency": inv["currency"],
            "buyerOrganizationId": inv["buyer"], "sellerOrganizationId": inv["seller"],
            "dueDate": inv["due"], "createdAt": self.when(inv["created"]),
            "connectionId": inv["conn"], "direction": "OUTGOING" if viewer == inv["seller"] else "INCOMING",
            "settledAt": self.when(inv["settled"]) if inv["settled"] else None,
            "inFlight": {"command": inv["pending"]},
        }
        if full:
            record["description"] = inv["desc"]
            record["history"] = [{"command": what, "at": self.when(at)} for what, at in inv["log"]]
        return record

    sort_keys = {"amount": lambda i: i["cents"], "createdAt": lambda i: i["created"],
                 "invoiceNumber": lambda i: i["n"], "status": lambda i: STATES.index(i["status"]),
                 "id": lambda i: int(i["id"]), "dueDate": lambda i: i["due"],
                 "currency": lambda i: i["currency"]}
    tie_follows_order = True

    def error(self, err):
        return {"error": err.error, "code": err.code, "status": err.status, "details": err.details or [],
                "message": err.message or err.error, "time": self.when(now_us())}

    def extra_headers(self):
        return [("Vary", "X-Environment"), ("X-Gateway-Node", "b2b-%d" % random.randrange(3))]

    content_type = "application/json"
    lower_headers = True
    chunk_over = 2500
    close_every = 41

    def page_and_limit(self, args):
        values = {"page": 0, "limit": self.default_limit}
        for name in values:
            raw = args.get(name, "")
            if raw == "":
                continue
            if not re.fullmatch(r"-?[0-9]{1,18}", raw):
                raise ApiError(400, self.code_query, "query refused", name + " is not an integer")
            values[name] = int(raw)
        if values["limit"] > 100:
            raise ApiError(400, self.code_query, "query refused", "limit is at most 100")
        return max(values["page"], 0), max(values["limit"], 1)

    def clamp_page(self, page, pages):
        return min(page, max(pages - 1, 0))     # past the end: the last page is served, and said so

    def query_args(self, pairs, known):
        args = {}
        for name, value in pairs:
            if name not in known or name in args:
                raise ApiError(400, self.code_query, "query refused", "unknown or repeated query parameter")
            args[name] = value
        return args

    def sorting(self, args, known):
        field, order = args.get("sortBy"), (args.get("sortOrder") or "").lower()
        if field not in known:
            field, default = self.default_sort
        else:
            default = self.order_when_missing
        return field, order if order in ("asc", "desc") else default

    amount_re = re.compile(r"[0-9]{1,13}(\.[0-9]{1,2})?")
    zero_allowed = True
    null_is_absent = False

    def currency(self, text):
        text = text.upper() if text.isascii() else ""
        return text if text in ISO4217 else None

    def due(self, text):
        day = valid_date(text)
        return None if day is None or day < today() - datetime.timedelta(days=1) else day.isoformat()

    description_limit = 4000
    request_id_range = (0, 200)
    duplicate_members = False
    json_type_needed = True

    def refuse_state(self, inv, action):
        if inv["pending"] and action != "SETTLE":
            return ApiError(409, self.code_conflict, "another command is in flight on this invoice")
        if inv["status"] == "SETTLED" or (inv["status"] == "CANCELLED" and action != "SETTLE"):
            return ApiError(409, self.code_conflict, "the invoice is closed")
        return ApiError(412, "INV004", "command not available", details=[{"status": inv["status"]}])

    def refuse_role(self, inv, action):
        return ApiError(404, "INV001", "no such invoice")

    def refuse_foreign_seller(self, caller, body):
        return ApiError(404, "CONN003", "no connection is known under these organizations")

    def same_parties(self):
        return ApiError(404, "CONN003", "no connection is known under these organizations")

    def no_route(self, allowed):
        if allowed:
            return ApiError(405, "GW_METHOD", "method not served here", headers={"Allow": ", ".join(allowed)})
        return ApiError(404, "GW_ROUTE", "no such route")

    def wrap(self, **data):
        return {"data": data, "meta": {"servedAt": self.when(now_us()), "trace": secrets.token_hex(8)}}

    def created(self, inv, caller):
        return 200, self.wrap(invoice=self.record(inv, caller.org, True)), {}

    def acted(self, action, inv, caller, extra):
        if action == "DELETE":
            return 200, self.wrap(commandId=extra, removed=inv["id"]), {}
        return 202, self.wrap(commandId=extra, invoice=self.record(inv, caller.org)), {}

    def read(self, inv, caller):
        return 200, self.wrap(invoice=self.record(inv, caller.org, True)), {}

    def balance(self, cents, us):
        return 200, self.wrap(accounts=[{"currency": "CHF", "available": money(cents), "kind": "MAIN"}]), {}

    def withdrawn(self, ident, cents, left, us):
        return 202, self.wrap(withdrawal={"ref": ident, "value": money(cents), "state": "QUEUED"}), {}

    def subscribed(self, sub):
        return 202, self.wrap(subscription={"ref": sub["id"], "target": sub["url"], "kinds": sub["kinds"]}), {}

    def reset_done(self, counts, key):
        return 202, self.wrap(removed=counts, replacementKey=key), {}

    needs_signing_secret = False

    def deliveries(self, sub, kinds, inv):
        events = [{"kind": kind, "invoiceRef": inv["id"], "state": inv["status"], "value": money(inv["cents"])}
                  for kind in kinds]
        body = self.dumps({"batch": events, "batchId": str(uuid.uuid4()), "org": sub["org"]})
        stamp = str(int(time.time()))
        sign = hmac.new(sub["secret"].encode("utf-8"), stamp.encode() + b"." + body, hashlib.sha512).hexdigest()
        headers = {"content-type": "application/json", "svc-signature": "t=%s,v1=%s" % (stamp, sign)}
        yield headers, body
        if random.random() < 0.15:       # at least once: some batches come twice
            yield headers, body

    def operations(self):
        def command(name, actor, **arguments):
            body = {"invoiceId": "{id}", "command": name, "requestId": "{requestId}"}
            if arguments:
                body["arguments"] = arguments
            return {"method": "POST", "path": "/api/v1/invoice-commands", "actor": actor, "body": body}

        return {
            "read": {"method": "GET", "path": "/api/v1/invoices/{id}?view=full"},
            "submit": command("SUBMIT", "seller"),
            "approve": command("APPROVE", "buyer"),
            "dispute": command("DISPUTE", "buyer", text="{text}"),
            "cancel": command("CANCEL", "buyer"),
            "settle": command("SETTLE", "buyer"),
            "delete": command("DELETE", "seller"),
            "resolve": command("RESOLVE", "seller", text="{text}"),
            "treasuryBalance": {"method": "GET", "path": "/api/v1/treasury/balance", "actor": "seller"},
            "treasuryWithdraw": {"method": "POST", "path": "/api/v1/treasury/payouts", "actor": "seller",
                                 "body": {"money": {"value": "{amount}", "currency": "CHF"}, "memo": "{text}",
                                          "requestId": "{requestId}"}},
        }

    def routes(self, api):
        rid = {"requestId": ("requestId", False)}

        def command(req):
            body = req.json(dict(rid, invoiceId=("string", True), command=("text", True),
                                 arguments=("object", False)))
            action = body["command"]
            if action not in self.result and action != "DELETE":
                raise req.invalid("command", "is not a known command", self.code_type)
            declared = {"DISPUTE": {"text"}, "RESOLVE": {"text", "adjustedAmount"}}.get(action, {"comment"})
            arguments = body.get("arguments") or {}
            for name, value in arguments.items():
                if name not in declared:
                    raise req.invalid("arguments." + name, "is not declared", self.code_body)
                if not isinstance(value, str):
                    raise req.invalid("arguments." + name, "must be a string", self.code_type)
            if "adjustedAmount" in arguments and self.cents(arguments["adjustedAmount"]) is None:
                raise req.invalid("arguments.adjustedAmount", "is not an amount", "INV002")
            if action == "DISPUTE" and not arguments.get("text"):
                raise req.invalid("arguments.text", "is required", "INV002")
            merged = dict(arguments)
            if "requestId" in body:
                merged["requestId"] = body["requestId"]
            return api.act(req, action, body["invoiceId"], merged)

        def payout(req):
            body = req.json(dict(rid, money=("object", True), memo=("text", False)))
            amount = body["money"]
            if set(amount) - {"value", "currency"}:
                raise req.invalid("money", "has undeclared members", self.code_body)
            if not self.cents(amount.get("value")) or amount.get("currency", "CHF") != "CHF":
                raise req.invalid("money", "needs a decimal value as a string, in CHF", "TREAS001")
            body["amount"] = amount["value"]
            return api.withdraw(req, body)

        return [
            ("GET", r"/api/v1/invoices", False, api.list_invoices),
            ("POST", r"/api/v1/invoices", True, api.create),
            ("GET", r"/api/v1/invoices/([^/]+)", False, api.read),
            ("POST", r"/api/v1/invoice-commands", True, command),
            ("GET", r"/api/v1/bookings", False, api.list_bookings),
            ("GET", r"/api/v1/treasury/balance", False, lambda req: api.balance(req, req.json(rid))),
            ("POST", r"/api/v1/treasury/payouts", True, payout),
            ("POST", r"/api/v1/settings/webhooks", True, api.subscribe),
            ("POST", r"/api/v1/settings/api-keys/sandbox/reset", True, lambda req: api.reset(req, {})),
        ]


# ------------------------------------------------------------------------------------ one request

class Request(object):
    def __init__(self, dialect, method, path, pairs, headers, raw):
        self.dialect, self.method, self.path, self.pairs = dialect, method, path, pairs
        self.headers, self.raw, self.caller = headers, raw, None

    def header(self, name):
        values = self.headers.get_all(name)
        return None if values is None else ", ".join(value.strip(" \t") for value in values)

    def invalid(self, field, problem, code):
        return ApiError(400, code, "Request body not valid", "%s %s" % (field, problem),
                        [{"field": field, "problem": problem}])

    def parse(self):
        """The body as a JSON object; no body at all counts as {}."""
        dialect = self.dialect
        if isinstance(self.raw, ApiError):
            raise self.raw
        if not self.raw:
            return {}
        if dialect.json_type_needed:
            kind = (self.header("Content-Type") or "").split(";")[0].strip().lower()
            if kind != "application/json" and not kind.endswith("+json"):
                raise self.invalid("body", "must be sent as application/json", dialect.code_type)
        try:
            hook = None if dialect.duplicate_members else distinct_pairs
            value = json.loads(self.raw.decode("utf-8"), parse_constant=no_constant, parse_int=short_int,
                               object_pairs_hook=hook)
            if b"\\u" in self.raw:
                json.dumps(value, ensure_ascii=False).encode("utf-8")    # no lone surrogates
        except (ValueError, RecursionError):
            raise self.invalid("body", "is not well-formed JSON", dialect.code_type)
        if not isinstance(value, dict):
            raise self.invalid("body", "must be a JSON object", dialect.code_type)
        return value

    def check(self, body, fields, missing_code):
        """Types of all fields, then the first problem (INV002-like ones first) as an error."""
        dialect, problems = self.dialect, []
        if dialect.null_is_absent:
            body = {name: value for name, value in body.items()
                    if not (value is None and name in fields and not fields[name][1])}
        for name in body:
            if name not in fields:
                problems.append((name[:60], "is not a declared field", dialect.code_body))
        for name, (kind, required) in fields.items():
            if name not in body or body[name] is None:
                if required:
                    problems.append((name, "is required", missing_code))
                elif name in body:
                    problems.append((name, "must not be null", dialect.code_type))
                continue
            problem = self.problem(kind, body[name])
            if problem:
                problems.append((name, problem, missing_code if kind == "amount" else dialect.code_type))
        if problems:
            first = next((p for p in problems if p[2] == missing_code), problems[0])
            raise ApiError(400, first[2], "Request body not valid",
                           "; ".join("%s %s" % p[:2] for p in problems[:8]),
                           [{"field": p[0], "problem": p[1]} for p in problems[:8]])
        return body

    def problem(self, kind, value):
        dialect = self.dialect
        if kind == "object":
            return None if isinstance(value, dict) else "must be an object"
        if kind == "kinds":
            if not isinstance(value, list) or not value or not all(isinstance(v, str) and v for v in value):
                return "must be a non-empty array of strings"
            if dialect.known_kinds and not set(value) <= dialect.known_kinds:
                return "names an unknown event kind"
            return None
        if not isinstance(value, str):
            return "must be a string"
        if kind == "uuid" and not UUID_RE.fullmatch(value):
            return "must be a UUID"
        if kind == "amount" and dialect.cents(value) is None:
            return "must be a decimal amount such as 120.50"
        if kind == "date" and dialect.due(value) is None:
            return "must be an acceptable calendar date, YYYY-MM-DD"
        if kind == "currency" and dialect.currency(value) is None:
            return "must be a currency code"
        if kind == "text" and not value:
            return "must not be empty"
        if kind == "requestId" and not dialect.request_id_range[0] <= len(value) <= dialect.request_id_range[1]:
            return "has an unsuitable length"
        if kind == "description" and dialect.description_limit and len(value) > dialect.description_limit:
            return "is too long"
        if kind == "url":
            try:
                parts = urlsplit(value)
                fine = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) > 0
            except ValueError:
                fine = False
            if not fine or re.search(r"[\s\x00-\x1f]", value):
                return "must be an absolute http or https URL"
        return None

    def json(self, fields, missing_code=None):
        return self.check(self.parse(), fields, missing_code or self.dialect.code_type)


# ------------------------------------------------------------------------------------ the service

class Service(object):
    def __init__(self, dialect):
        self.dialect = dialect
        self.lock = threading.RLock()            # one lock guards all data below
        self.scheduler = Scheduler()
        self.courier = Courier(dialect, self.scheduler)
        self.keys = {}                           # key -> record
        self.connections = {}                    # (env, seller, buyer) -> record
        self.invoices = {}                       # id -> live record
        self.listed = collections.defaultdict(dict)   # (env, org) -> {id: frozen copy}, what lists show
        self.unlisted = collections.deque()      # (due, copy, present) still on the way to the lists
        self.idempotent = {}                     # (env, org, operation, target, requestId) -> Reply
        self.balances = {}                       # (env, org) -> cents
        self.bookings = collections.defaultdict(dict)   # env -> {invoice id: booking}
        self.subscriptions = collections.defaultdict(list)   # (env, org) -> subscriptions
        self.buckets = {}
        self.bucket_lock = threading.Lock()
        self.order = itertools.count(1)
        self.router = [(method, re.compile(path), change, call)
                       for method, path, change, call in dialect.routes(self)]

    # -- the pipeline every request takes
    def answer(self, request):
        dialect = self.dialect
        try:
            key = self.authenticate(request)
            if key is None:
                return Reply(401, dialect.unauthorized, {"WWW-Authenticate": "ApiKey"})
            if dialect.rate:
                self.take_token(key)
            self.check_environment(request, key)
            request.caller = Caller(key["org"], key["env"], key["read_only"])
            return self.route(request)
        except ApiError as err:
            return Reply(err.status, dialect.dumps(dialect.error(err)), err.headers)
        except Exception:
            traceback.print_exc()
            err = ApiError(500, "GW_INTERNAL", "Internal error")
            return Reply(500, dialect.dumps(dialect.error(err)))

    def authenticate(self, request):
        key, secret = request.header("X-API-Key"), request.header("X-API-Secret")
        with self.lock:
            record = self.keys.get(key or "")
        expected = record["secret"] if record else "0" * 48
        same = hmac.compare_digest((secret or "").encode("utf-8"), expected.encode("utf-8"))
        if record is None or not same or record["revoked"]:
            return None
        return record

    def take_token(self, key):
        rate = float(self.dialect.rate)
        with self.bucket_lock:
            now = time.monotonic()
            tokens, at = self.buckets.get(key["key"], (rate, now))
            tokens = min(rate, tokens + (now - at) * rate)
            if tokens >= 1:
                self.buckets[key["key"]] = (tokens - 1, now)
                return
            self.buckets[key["key"]] = (tokens, now)
        raise ApiError(429, "GW_RATE_LIMITED", "too many requests",
                       headers={"X-RateLimit-Reset": str(int(time.time()) + 1), "X-RateLimit-Limit": str(int(rate))})

    def check_environment(self, request, key):
        named = request.header("X-Environment")
        if named is None:
            return
        if named not in (PRODUCTION, SANDBOX):
            raise ApiError(400, "GW_UNKNOWN_ENVIRONMENT", "Unknown environment",
                           "X-Environment must be PRODUCTION or SANDBOX")
        if named != key["env"]:
            raise ApiError(403, "GW_ENVIRONMENT_KEY_MISMATCH", "The API key belongs to the other environment")

    def route(self, request):
        prefix, path, allowed = self.dialect.prefix, request.path, []
        if path.startswith(prefix):
            path = path[len(prefix):]
            for method, pattern, change, call in self.router:
                match = pattern.fullmatch(path)
                if not match:
                    continue
                if method != request.method:
                    allowed.append(method)
                    continue
                if change and request.caller.read_only:
                    raise ApiError(403, self.dialect.code_forbidden, "This key may only read")
                return call(request, *[unquote(part) for part in match.groups()])
        raise self.dialect.no_route(allowed)

    def reply(self, status, body, headers):
        return Reply(status, b"" if body is None else self.dialect.dumps(body), headers)

    # -- idempotency; both are called with the lock held
    def remembered(self, caller, operation, target, body):
        if "requestId" not in body:
            return None, None
        slot = (caller.env, caller.org, operation, target if self.dialect.idem_by_target else None,
                body["requestId"])
        old = self.idempotent.get(slot)
        if old is not None and self.dialect.lower_headers:
            old = Reply(old.status, old.body, dict(old.headers, **{"Idempotent-Replay": "true"}))
        return slot, old

    def remember(self, slot, reply):
        if slot is not None:
            self.idempotent[slot] = reply
        return reply

    # -- invoices: storage
    def publish(self, inv, present=True, at_once=False):
        copy = dict(inv)
        if at_once or not self.dialect.list_lag:
            self.show(copy, present)
        else:
            self.unlisted.append((time.monotonic() + self.dialect.list_lag, copy, present))

    def show(self, copy, present):
        for org in (copy["seller"], copy["buyer"]):
            if present:
                self.listed[copy["env"], org][copy["id"]] = copy
            else:
                self.listed[copy["env"], org].pop(copy["id"], None)

    def catch_up(self):
        now = time.monotonic()
        while self.unlisted and self.unlisted[0][0] <= now:
            _, copy, present = self.unlisted.popleft()
            self.show(copy, present)

    def visible(self, inv, org):
        if org == inv["seller"]:
            return True
        return org == inv["buyer"] and (inv["status"] != "DRAFT" or self.dialect.drafts_shown_to_buyer)

    def find(self, caller, ident):
        inv = self.invoices.get(ident)
        if inv is None or inv["env"] != caller.env or not self.visible(inv, caller.org):
            raise ApiError(404, "INV001", "Invoice not found")
        return inv

    def new_invoice(self, env, connection, cents, currency, due, desc, created=None, status=None):
        us = created or now_us()
        connection["count"] += 1
        ident = self.dialect.new_id(us)
        while ident in self.invoices:
            ident = self.dialect.new_id(us)
        inv = {"id": ident, "order": next(self.order), "env": env, "conn": connection["id"],
               "seller": connection["seller"], "buyer": connection["buyer"],
               "n": connection["count"], "number": self.dialect.number(connection, connection["count"]),
               "cents": cents, "currency": currency, "due": due, "desc": desc,
               "created": us, "changed": us, "settled": None, "status": status or self.dialect.initial,
               "pending": None, "revision": 1, "log": [("CREATE", us)]}
        self.invoices[ident] = inv
        self.publish(inv, at_once=created is not None)
        return inv

    # -- invoices: operations
    def list_invoices(self, request):
        dialect, caller = self.dialect, request.caller
        with self.lock:
            self.catch_up()
            records = [inv for inv in self.listed[caller.env, caller.org].values()
                       if self.visible(inv, caller.org)]
        sample = {"id": "0", "number": "", "status": "DRAFT", "cents": 0, "currency": "", "seller": "",
                  "buyer": "", "due": "", "desc": None, "created": 0, "changed": 0, "revision": 0,
                  "pending": None, "conn": "", "settled": None}
        return self.page(request, records, dialect.record(sample, ""),
                         lambda inv: dialect.record(inv, caller.org), dialect.sort_keys)

    def list_bookings(self, request):
        caller = request.caller
        with self.lock:
            records = [dict(b) for b in self.bookings[caller.env].values() if caller.org in b["parties"]]

        def render(b):
            return {"id": b["id"], "invoiceId": b["invoiceId"], "state": b["state"], "amount": money(b["cents"]),
                    "createdAt": self.dialect.when(b["created"])}
        known = dict.fromkeys(("id", "invoiceId", "state", "amount", "createdAt", "dueDate"))
        return self.page(request, records, known, render, {"dueDate": lambda b: b["created"],
                         "amount": lambda b: b["cents"], "createdAt": lambda b: b["created"]})

    def page(self, request, records, known, render, special):
        dialect = self.dialect
        args = dialect.query_args(request.pairs, ("page", "limit", "sortBy", "sortOrder"))
        page, limit = dialect.page_and_limit(args)
        field, order = dialect.sorting(args, known)

        def general(record):
            value = render(record)[field]
            if value is None:
                return 0, ""
            if isinstance(value, (bool, int)):
                return 1, value
            return (2, value) if isinstance(value, str) else (3, json.dumps(value, sort_keys=True))

        descending = order == "desc"
        records.sort(key=lambda r: r["order"], reverse=descending and dialect.tie_follows_order)
        records.sort(key=special.get(field, general), reverse=descending)
        total = len(records)
        pages = -(-total // limit)
        page = dialect.clamp_page(page, pages)
        chosen = records[page * limit:page * limit + limit]
        return self.reply(200, {"items": [render(r) for r in chosen], "total": total, "totalPages": pages,
                                "page": page, "limit": limit}, {})

    def read(self, request, ident):
        with self.lock:
            inv = self.find(request.caller, ident)
            status, body, headers = self.dialect.read(inv, request.caller)
        return self.reply(status, body, headers)

    CREATE_FIELDS = {"sellerId": ("uuid", True), "buyerId": ("uuid", True), "amount": ("amount", True),
                     "dueDate": ("date", True), "currency": ("currency", False),
                     "description": ("description", False), "requestId": ("requestId", False)}

    def create(self, request):
        dialect, caller, body = self.dialect, request.caller, request.parse()
        with self.lock:
            if dialect.name == "one" and isinstance(body.get("requestId"), str):
                slot, old = self.remembered(caller, "create", None, body)
                if old is not None:
                    return old
            body = request.check(body, self.CREATE_FIELDS, "INV002")
            slot, old = self.remembered(caller, "create", None, body)
            if old is not None:
                return old
            seller, buyer = body["sellerId"].lower(), body["buyerId"].lower()
            if seller == buyer:
                raise dialect.same_parties()
            if seller != caller.org:
                raise dialect.refuse_foreign_seller(caller, body)
            connection = self.connections.get((caller.env, seller, buyer))
            if connection is None:
                raise ApiError(404, "CONN003", "No connection with this buyer is known")
            if connection["status"] != "ACTIVE":
                raise ApiError(412, "CONN010", "The connection with this buyer is not active")
            currency = dialect.currency(body["currency"]) if "currency" in body else dialect.default_currency
            inv = self.new_invoice(caller.env, connection, dialect.cents(body["amount"]), currency,
                                   dialect.due(body["dueDate"]), body.get("description"))
            self.emit("CREATE", inv)
            status, answer, headers = dialect.created(inv, caller)
            return self.remember(slot, self.reply(status, answer, headers))

    def act(self, request, action, ident, body):
        dialect, caller = self.dialect, request.caller
        with self.lock:
            slot, old = self.remembered(caller, action, ident, body)
            if old is not None:
                return old
            inv = self.find(caller, ident)
            role = "seller" if caller.org == inv["seller"] else "buyer"
            if role not in dialect.roles[action]:
                raise dialect.refuse_role(inv, action)
            if action not in OFFERED[inv["status"]] or inv["pending"]:
                raise dialect.refuse_state(inv, action)
            if action == "SETTLE" and dialect.settle_uses_balance:
                if self.balances.get((inv["env"], inv["buyer"]), 0) < inv["cents"]:
                    raise ApiError(412, "TREAS007", "Not enough funds to pay this invoice")
            self.perform(inv, action, body)
            status, answer, headers = dialect.acted(action, inv, caller, str(uuid.uuid4()))
            return self.remember(slot, self.reply(status, answer, headers))

    def perform(self, inv, action, body):
        if action == "DELETE":
            del self.invoices[inv["id"]]
            self.publish(inv, present=False)
            self.emit(action, inv)
        elif action in self.dialect.delays:
            inv["pending"] = action
            inv["revision"] += 1
            self.publish(inv)
            self.scheduler.later(self.dialect.delays[action], lambda: self.finish_later(inv, action, body))
        else:
            self.finish(inv, action, body)

    def finish_later(self, inv, action, body):
        with self.lock:
            if self.invoices.get(inv["id"]) is inv and inv["pending"] == action:
                inv["pending"] = None
                self.finish(inv, action, body)

    def finish(self, inv, action, body):
        us = now_us()
        inv["status"] = self.dialect.result[action]
        inv["changed"] = us
        inv["revision"] += 1
        inv["log"].append((action, us))
        if body.get("adjustedAmount"):
            inv["cents"] = self.dialect.cents(body["adjustedAmount"])
        if action == "APPROVE":
            self.bookings[inv["env"]][inv["id"]] = {
                "id": "bk-" + secrets.token_hex(8), "invoiceId": inv["id"], "state": "OPEN", "created": us,
                "order": next(self.order), "cents": inv["cents"], "parties": (inv["seller"], inv["buyer"])}
        if action == "SETTLE":
            inv["settled"] = us
            if inv["id"] in self.bookings[inv["env"]]:
                self.bookings[inv["env"]][inv["id"]]["state"] = "PAID"
            if self.dialect.settle_uses_balance:
                for org, sign in ((inv["buyer"], -1), (inv["seller"], 1)):
                    self.balances[inv["env"], org] = self.balances.get((inv["env"], org), 0) + sign * inv["cents"]
        self.publish(inv)
        self.emit(action, inv)

    def emit(self, event, inv):
        kinds = self.dialect.kinds[event]
        for org in (inv["seller"], inv["buyer"]):
            if not self.visible(inv, org):
                continue
            for sub in self.subscriptions.get((inv["env"], org), ()):
                wanted = [kind for kind in kinds if kind in sub["kinds"]]
                if not wanted:
                    continue
                for headers, body in self.dialect.deliveries(sub, wanted, inv):
                    self.scheduler.later(self.dialect.webhook_delay, lambda u=sub["url"], h=headers, b=body:
                                         self.courier.send(u, h, b))

    # -- treasury
    def balance(self, request, body):
        caller = request.caller
        with self.lock:
            slot, old = self.remembered(caller, "balance", None, body)
            if old is not None:
                return old
            status, answer, headers = self.dialect.balance(self.balances.get((caller.env, caller.org), 0), now_us())
            return self.remember(slot, self.reply(status, answer, headers))

    def withdraw(self, request, body):
        caller, account = request.caller, (request.caller.env, request.caller.org)
        cents = self.dialect.cents(body["amount"])
        with self.lock:
            slot, old = self.remembered(caller, "withdraw", None, body)
            if old is not None:
                return old
            if self.balances.get(account, 0) < cents:
                raise ApiError(412, "TREAS007", "Not enough funds for this withdrawal")
            self.balances[account] = self.balances.get(account, 0) - cents
            status, answer, headers = self.dialect.withdrawn("wd-" + secrets.token_hex(8), cents,
                                                             self.balances[account], now_us())
            return self.remember(slot, self.reply(status, answer, headers))

    # -- settings
    def subscribe(self, request):
        body = request.json({"url": ("url", True), "eventTypes": ("kinds", True),
                             "signingSecret": ("text", self.dialect.needs_signing_secret)})
        caller = request.caller
        sub = {"id": str(uuid.uuid4()), "url": body["url"], "kinds": list(dict.fromkeys(body["eventTypes"])),
               "secret": body.get("signingSecret", ""), "org": caller.org, "created": now_us()}
        with self.lock:
            self.subscriptions[caller.env, caller.org].append(sub)
        return self.reply(*self.dialect.subscribed(sub))

    def reset(self, request, body):
        """Clears the caller's organization's sandbox: all its keys, invoices (either role) and bookings."""
        caller = request.caller
        if caller.env != SANDBOX and not self.dialect.production_may_reset:
            raise ApiError(403, self.dialect.code_forbidden, "Only a sandbox key resets the sandbox")
        with self.lock:
            dead = [k for k, record in self.keys.items() if record["org"] == caller.org and record["env"] == SANDBOX]
            for key in dead:
                del self.keys[key]
            gone = [inv for inv in self.invoices.values()
                    if inv["env"] == SANDBOX and caller.org in (inv["seller"], inv["buyer"])]
            for inv in gone:
                del self.invoices[inv["id"]]
                self.publish(inv, present=False)
            booked = [i for i, b in self.bookings[SANDBOX].items() if caller.org in b["parties"]]
            for ident in booked:
                del self.bookings[SANDBOX][ident]
            counts = {"apiKeys": len(dead), "logs": 0, "invoices": len(gone), "bookings": len(booked)}
            fresh = None
            if self.dialect.reset_gives_key:
                fresh = dict(self.add_key(caller.org, SANDBOX), environment=SANDBOX)
                fresh.pop("organizationId")
            return self.reply(*self.dialect.reset_done(counts, fresh))

    # -- fixtures
    def add_key(self, org, env, read_only=False, revoked=False):
        key = ("svc_sand_" if env == SANDBOX else "svc_prod_") + secrets.token_hex(16)
        secret = secrets.token_urlsafe(33)
        self.keys[key] = {"key": key, "secret": secret, "org": org, "env": env, "read_only": read_only,
                          "revoked": revoked}
        return {"key": key, "secret": secret, "organizationId": org}

    def connect(self, env, seller, buyer, status="ACTIVE"):
        self.connections[env, seller, buyer] = {
            "id": str(uuid.uuid4()), "seller": seller, "buyer": buyer, "status": status,
            "tag": "".join(random.choice("BCDFGHKLMNPRSTVWXZ") for _ in range(3)),
            "count": random.randrange(60, 120) if self.dialect.name == "two" else 0}
        return self.connections[env, seller, buyer]

    def history(self, env, connection, count, states):
        """Older invoices, spread over the last months, some at full seconds, some sharing a due date."""
        start = now_us() - 200 * 86400 * 1000000
        step = 190 * 86400 * 1000000 // max(count, 1)
        words = ["Pallets", "Carriage", "Kühlware", "Consulting", "Rent", None, "Steel, 4 mm", "Licences"]
        for index in range(count):
            created = start + index * step + random.randrange(0, step // 2)
            if index % 5 == 0:
                created -= created % 1000000
            day = utc(created).date() + datetime.timedelta(days=random.choice((14, 30, 45)))
            inv = self.new_invoice(env, connection, random.choice((random.randrange(100, 99999),
                                   random.randrange(100000, 90000000))), random.choice(("EUR", "CHF", "USD")),
                                   day.isoformat(), random.choice(words), created, random.choice(states))
            if inv["status"] == "SETTLED":
                inv["settled"] = inv["changed"] = created + random.randrange(1, 40 if index < count - 45 else 5) * 86400000000
                self.publish(inv, at_once=True)

    def fixtures(self):
        two = self.dialect.name == "two"
        org = {name: str(uuid.uuid4()) for name in
               ("seller", "buyer", "outsider", "unconnected", "suspended")}
        closed = ["SETTLED", "SETTLED", "SETTLED", "CANCELLED", "APPROVED", "SUBMITTED", "DISPUTED"]
        main = self.connect(SANDBOX, org["seller"], org["buyer"])
        self.history(SANDBOX, main, 310 if two else 230, closed + ["DRAFT"])
        lapsed = self.connect(SANDBOX, org["seller"], org["suspended"], "SUSPENDED")
        self.history(SANDBOX, lapsed, 9, ["SETTLED", "CANCELLED"])
        # The outsider is a rival seller that serves the same buyer (one), or another buyer that
        # the same seller serves (two).  Either way it is no party to a seller-buyer invoice.
        if two:
            other = self.connect(SANDBOX, org["seller"], org["outsider"])
        else:
            other = self.connect(SANDBOX, org["outsider"], org["buyer"])
        self.history(SANDBOX, other, 21, closed)
        real = self.connect(PRODUCTION, org["seller"], org["buyer"])
        self.history(PRODUCTION, real, 14, closed + ["DRAFT"])
        self.connect(PRODUCTION, org["seller"], org["suspended"], "SUSPENDED")
        for env, cents in ((SANDBOX, 5000000000), (PRODUCTION, 7312345)):
            for name in ("seller", "buyer", "outsider"):
                self.balances[env, org[name]] = cents
        actors = {name: self.add_key(org[name], SANDBOX) for name in ("seller", "buyer", "outsider")}
        actors["readOnly"] = self.add_key(org["seller"], SANDBOX, read_only=True)
        actors["revoked"] = self.add_key(org["seller"], SANDBOX, revoked=True)
        actors["production"] = self.add_key(org["seller"], PRODUCTION)
        if two:
            threading.Thread(target=self.colleagues, args=(main,), daemon=True).start()
        return actors, {name: org[name] for name in ("unconnected", "suspended")}

    def colleagues(self, connection):
        """Other people of seller and buyer at work in the dashboard, all the time, on their own invoices."""
        own = collections.deque()
        while True:
            time.sleep(random.uniform(0.25, 0.9))
            with self.lock:
                if len(own) < 12 or random.random() < 0.4:
                    due = (today() + datetime.timedelta(days=random.randrange(5, 60)))
                    inv = self.new_invoice(SANDBOX, connection, random.randrange(500, 400000), "CHF",
                                           due.isoformat(), "from the dashboard")
                    self.emit("CREATE", inv)
                    own.append(inv)
                else:
                    inv = own.popleft()
                    # they leave paying to others, so that balances stay as the caller left them
                    offered = [action for action in OFFERED[inv["status"]] if action != "SETTLE"]
                    if self.invoices.get(inv["id"]) is not inv or not offered or random.random() < 0.1:
                        continue
                    if not inv["pending"]:
                        self.perform(inv, random.choice(offered), {})
                    own.append(inv)


# ------------------------------------------------------------------------------------ HTTP

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 90
    service = None
    answered = itertools.count(1)

    def log_message(self, *args):
        pass

    def read_body(self):
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            parts, size = [], 0
            while True:
                length = int(self.rfile.readline(64).split(b";")[0].strip() or b"x", 16)
                if length < 0:
                    raise ValueError("chunk size")
                if length == 0:
                    while self.rfile.readline(8192).strip():
                        pass
                    return b"".join(parts)
                size += length
                if size > MAX_BODY:
                    raise OverflowError
                parts.append(self.rfile.read(length))
                self.rfile.readline(8)
        text = (self.headers.get("Content-Length") or "0").strip()
        if not re.fullmatch(r"[0-9]{1,15}", text):
            raise ValueError(text)
        if int(text) > MAX_BODY:
            left = min(int(text), 8 * MAX_BODY)
            while left > 0:
                block = self.rfile.read(min(left, 65536))
                if not block:
                    break
                left -= len(block)
            raise OverflowError
        return self.rfile.read(int(text)) if text != "0" else b""

    def serve(self):
        dialect = self.service.dialect
        try:
            raw = self.read_body()
        except OverflowError:
            self.close_connection = True
            raw = ApiError(400, "GW_BODY_SIZE", "Body too large", "the body exceeds 1 MiB")
        except ValueError:
            self.close_connection = True
            raw = ApiError(400, "GW_BAD_REQUEST", "Bad request", "the body is not framed as HTTP wants it")
        try:
            parts = urlsplit(self.path)
            pairs = parse_qsl(parts.query, keep_blank_values=True)
            path = parts.path
        except ValueError:
            path, pairs = "/", []
        self.send(self.service.answer(Request(dialect, self.command, path, pairs, self.headers, raw)))

    def __getattr__(self, name):
        if name.startswith("do_"):          # any method at all takes the same way, authentication first
            return self.serve
        raise AttributeError(name)

    def send_error(self, code, message=None, explain=None):
        """What http.server itself refuses (a broken request line) is answered in JSON too."""
        dialect = self.service.dialect
        self.close_connection = True
        err = ApiError(400 if code < 500 else 500, "GW_BAD_REQUEST", "Bad request", message or "not acceptable HTTP")
        self.send(Reply(err.status, dialect.dumps(dialect.error(err))))

    def send(self, reply):
        dialect = self.service.dialect
        body = reply.body
        chunked = (dialect.chunk_over is not None and len(body) > dialect.chunk_over
                   and self.request_version == "HTTP/1.1")
        headers = [("Date", self.date_time_string())] + dialect.extra_headers() + list(reply.headers.items())
        if reply.status != 204:
            headers.append(("Content-Type", dialect.content_type))
            if chunked:
                headers.append(("Transfer-Encoding", "chunked"))
            else:
                headers.append(("Content-Length", str(len(body))))
        if dialect.close_every and next(self.answered) % dialect.close_every == 0:
            self.close_connection = True
        if self.close_connection:
            headers.append(("Connection", "close"))
        lines = ["HTTP/1.1 %d %s" % (reply.status, http.client.responses.get(reply.status, "OK"))]
        for name, value in headers:
            lines.append("%s: %s" % (name.lower() if dialect.lower_headers else name, value))
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        if self.command == "HEAD":
            body = b""
        elif chunked:
            size = 1800
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in
                            (body[i:i + size] for i in range(0, len(body), size))) + b"0\r\n\r\n"
        self.wfile.write(head + body)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        pass                                # a client went away in the middle


def watch_parent():
    """Ends the process when stdin closes; where stdin is no pipe, when the parent is gone."""
    try:
        mode = os.fstat(0).st_mode
        watched = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(0)
    except OSError:
        watched = False
    parent = os.getppid()
    while watched:
        try:
            if not os.read(0, 4096):
                os._exit(0)
        except OSError:
            os._exit(0)
    while os.getppid() == parent:
        time.sleep(0.3)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dialect", choices=("one", "two"), default="one")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    dialect = {"one": One, "two": Two}[options.dialect]()
    service = Service(dialect)
    Handler.service = service
    actors, counterparties = service.fixtures()
    server = Server(("127.0.0.1", options.port), Handler)
    for name in ("readOnly", "revoked", "production"):
        actors[name].pop("organizationId")
    print(json.dumps({
        "name": "third-python-" + dialect.name,
        "baseUrl": "http://127.0.0.1:%d%s" % (server.server_address[1], dialect.prefix),
        "actors": actors, "counterparties": counterparties, "operations": dialect.operations(),
        "limits": {"settleWithinMs": 5000}, "webhooks": {"listen": "127.0.0.1:0"},
    }), flush=True)
    threading.Thread(target=watch_parent, daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
