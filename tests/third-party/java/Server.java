import java.io.*;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.*;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.nio.file.*;
import java.security.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.*;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.*;

/**
 * Invoicing and settlement network, in memory.   java Server.java --port 0 --dialect one|two
 *
 * Dialect "one": resource paths (PUT .../submission), drafts hidden from the buyer, strict queries.
 * Dialect "two": one command endpoint below the prefix /net, invoices are issued at creation, lenient queries.
 *
 * Organisations:  seller --ACTIVE-- buyer,  seller --SUSPENDED-- suspended,  unconnected: no connection at all.
 *   one: the outsider is itself a SELLER with an active connection to the buyer (none to the seller).
 *   two: the outsider is a BUYER served by another seller ("Third Forge"), no connection to seller or buyer.
 */
public class Server {

    // ------------------------------------------------------------------ configuration

    static boolean one = true;
    static String prefix = "";
    static final SecureRandom RANDOM = new SecureRandom();
    static final String SAND = "SANDBOX", PROD = "PRODUCTION";
    static final List<String> LIFECYCLE = List.of("DRAFT", "SUBMITTED", "APPROVED", "DISPUTED", "SETTLED", "CANCELLED");
    static final Map<String, String> OFFERED = Map.of("submit", "DRAFT", "delete", "DRAFT", "approve", "SUBMITTED",
            "dispute", "SUBMITTED", "cancel", "SUBMITTED", "settle", "APPROVED", "resolve", "DISPUTED");

    static Set<String> actors(String op) {
        return switch (op) {
            case "submit", "delete" -> Set.of("seller");
            case "cancel" -> one ? Set.of("seller") : Set.of("seller", "buyer");
            case "resolve" -> one ? Set.of("buyer") : Set.of("seller");
            default -> Set.of("buyer");
        };
    }

    static String result(String op) {
        return switch (op) {
            case "submit" -> "SUBMITTED";
            case "approve" -> "APPROVED";
            case "dispute" -> "DISPUTED";
            case "cancel" -> "CANCELLED";
            case "settle" -> "SETTLED";
            case "resolve" -> one ? "APPROVED" : "DRAFT";
            default -> "";
        };
    }

    static long delayOf(String op) {
        if (one) return op.equals("settle") ? 350 : 0;
        return switch (op) { case "settle" -> 500; case "cancel" -> 180; case "approve" -> 60; default -> 0; };
    }

    // ------------------------------------------------------------------ model

    record Org(String id, String name, String kind) {}
    record Conn(String id, String seller, String buyer, String state) {}

    static final class ApiKey {
        final String key, secret, org, env;
        final boolean write;
        volatile boolean revoked;
        ApiKey(String key, String secret, String org, String env, boolean write) {
            this.key = key; this.secret = secret; this.org = org; this.env = env; this.write = write;
        }
    }

    record Inv(String id, String number, String status, BigDecimal amount, String currency, String buyer, String seller,
               String due, Instant created, Instant changed, String description, String env, String conn,
               int revision, String pending, long seq) {
        Inv to(String newStatus, BigDecimal newAmount, String newPending) {
            return new Inv(id, number, newStatus, newAmount, currency, buyer, seller, due, created, now(), description,
                    env, conn, revision + 1, newPending, seq);
        }
        boolean party(String org) { return org.equals(buyer) || org.equals(seller); }
    }

    record Booking(String id, String invoice, String seller, String buyer, String env, BigDecimal amount, String currency,
                   String state, Instant created) {}

    record Sub(String id, String org, String env, String url, Set<String> kinds, String secret, Instant created) {}
    record Stored(int status, byte[] body) {}

    // Everything below is guarded by LOCK.
    static final Object LOCK = new Object();
    static final Map<String, Org> ORGS = new LinkedHashMap<>();
    static final List<Conn> CONNS = new ArrayList<>();
    static final Map<String, ApiKey> KEYS = new ConcurrentHashMap<>();
    static final Map<String, Inv> INVOICES = new LinkedHashMap<>();
    static final Map<String, LinkedHashSet<String>> BY_ORG = new HashMap<>();       // env|org -> invoice ids
    static final Map<String, Booking> BOOKINGS = new LinkedHashMap<>();             // by invoice id
    static final List<Sub> SUBS = new CopyOnWriteArrayList<>();
    static final Map<String, Stored> REPLIES = new HashMap<>();                     // idempotency, never forgotten
    static final Map<String, BigDecimal> WALLETS = new HashMap<>();                 // env|org|currency
    static final Map<String, BigDecimal> OUTGOING = new HashMap<>();                // env|org|currency (dialect two)
    static final Map<String, Integer> COUNTERS = new HashMap<>();                   // invoice numbers
    static long sequence = 0;
    static Instant now() { return Instant.now(); }
    static final AtomicLong FLAKE = new AtomicLong();

    static String token(int length, String alphabet) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < length; i++) b.append(alphabet.charAt(RANDOM.nextInt(alphabet.length())));
        return b.toString();
    }

    static final String B32 = "0123456789abcdefghjkmnpqrstvwxyz";

    static String newId(String kind) {
        if (one) return kind + "." + token(22, B32);
        long t = System.currentTimeMillis() - 1_600_000_000_000L;
        return String.format("%012d%04d%02d", t, FLAKE.incrementAndGet() % 10000, RANDOM.nextInt(100));
    }

    /** one: a network-wide sequence with year and check letter; two: a padded count per connection with a check digit. */
    static String newNumber(Conn c, Instant at) {
        int n = COUNTERS.merge(one ? "*" : c.id(), 1, Integer::sum);
        if (one) {
            int year = at.atOffset(ZoneOffset.UTC).getYear() % 100;
            return String.format("NW-%02d-%07d-%c", year, 40000 + n, "ABCDEFGHJKLMNPQRSTUVWXYZ".charAt((n * 7 + year) % 24));
        }
        return String.format("%07d/%d", n, (n * 3) % 10);
    }

    static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'+00:00'");

    static String time(Instant t) {
        return (one ? MICROS : SECONDS).format(t.atOffset(ZoneOffset.UTC));
    }

    static String money(BigDecimal b) { return b.setScale(2).toPlainString(); }

    static Map<String, Object> obj(Object... kv) {
        Map<String, Object> m = new LinkedHashMap<>();
        for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
        return m;
    }

    // ------------------------------------------------------------------ the records shown

    static final Map<String, Function<Inv, Object>> FIELDS = new LinkedHashMap<>();
    static void field(String name, Function<Inv, Object> f) { FIELDS.put(name, f); }

    static void declareFields() {
        field("id", Inv::id);
        field("invoiceNumber", Inv::number);
        field("status", one ? Inv::status : v -> LIFECYCLE.indexOf(v.status()));
        field("amount", Inv::amount);
        field("currency", Inv::currency);
        field("buyerOrganizationId", Inv::buyer);
        field("sellerOrganizationId", Inv::seller);
        field("dueDate", Inv::due);
        field("createdAt", Inv::created);
        field("description", Inv::description);
        if (one) {
            field("connectionId", Inv::conn);
            field("revision", Inv::revision);
            field("updatedAt", Inv::changed);
        } else {
            field("environment", Inv::env);
            field("pendingAction", Inv::pending);
            field("statusChangedAt", Inv::changed);
        }
    }

    static Map<String, Object> item(Inv v) {
        Map<String, Object> m;
        if (one) {
            m = obj("id", v.id(), "invoiceNumber", v.number(), "status", v.status(), "amount", money(v.amount()),
                    "currency", v.currency(), "description", v.description(), "dueDate", v.due(),
                    "sellerOrganizationId", v.seller(), "buyerOrganizationId", v.buyer(), "connectionId", v.conn(),
                    "revision", v.revision(), "createdAt", time(v.created()), "updatedAt", time(v.changed()));
        } else {
            m = obj("environment", v.env(), "createdAt", time(v.created()), "statusChangedAt", time(v.changed()),
                    "status", v.status(), "pendingAction", v.pending(), "id", v.id(), "invoiceNumber", v.number(),
                    "buyerOrganizationId", v.buyer(), "sellerOrganizationId", v.seller(), "currency", v.currency(),
                    "amount", money(v.amount()), "dueDate", v.due());
        }
        return m;
    }

    /** Dialect two shows the description on the single record only. */
    static Map<String, Object> full(Inv v) {
        Map<String, Object> m = item(v);
        if (!one) m.put("description", v.description() == null ? "" : v.description());
        return m;
    }

    // ------------------------------------------------------------------ replies and failures

    record Reply(int status, byte[] body, Map<String, String> headers, boolean chunked) {
        static Reply of(int status, Object json) {
            return new Reply(status, json == null ? new byte[0] : Json.write(json).getBytes(UTF_8), Map.of(), false);
        }
        Reply with(String k, String v) {
            Map<String, String> h = new LinkedHashMap<>(headers);
            h.put(k, v);
            return new Reply(status, body, h, chunked);
        }
        Reply inChunks() { return new Reply(status, body, headers, true); }
    }

    static final class Fail extends RuntimeException {
        final int status; final String code, text, detail;
        Fail(int status, String code, String text, String detail) {
            super(null, null, false, false);
            this.status = status; this.code = code; this.text = text; this.detail = detail;
        }
        Reply reply() {
            Map<String, Object> m;
            if (one) {
                m = obj("error", text, "code", code);
                if (detail != null) m.put("message", detail);
                m.put("reference", token(10, B32));
            } else {
                m = obj("status", status, "code", code, "error", text);
                if (detail != null) m.put("message", detail);
                m.put("retryable", status >= 500);
            }
            return Reply.of(status, m);
        }
    }

    static Fail bad(String code, String detail) {
        return new Fail(400, code, one ? "The request is not valid" : "bad request", detail);
    }

    static Fail badInvoice(String detail) { return bad("INV002", detail); }
    static Fail noInvoice() { return new Fail(404, "INV001", one ? "Invoice not found" : "no such invoice", null); }

    static Fail noConnection() {
        return new Fail(404, "CONN003", one ? "No connection between these organizations" : "no such connection", null);
    }

    static Fail forbidden() {
        return new Fail(403, one ? "AUTH_SCOPE_MISSING" : "GW_NOT_PERMITTED",
                one ? "This key may not do that" : "not permitted", null);
    }

    static Fail noRoute() {
        return new Fail(404, one ? "GW_NO_SUCH_ROUTE" : "RES404", one ? "There is nothing at this address" : "not found", null);
    }

    static Fail poor() { return new Fail(412, "TREAS007", one ? "Not enough funds" : "insufficient funds", null); }

    static Reply unauthorized() {
        return one ? Reply.of(401, obj("error", "Unauthorized", "message", "Invalid API key or secret"))
                   : Reply.of(401, obj("message", "The key or the secret is not valid.", "error", "unauthorized"));
    }

    // ------------------------------------------------------------------ request handling

    record Req(String method, String path, String query, Map<String, List<String>> headers, byte[] body) {
        String header(String name) {
            List<String> l = headers.get(name.toLowerCase(Locale.ROOT));
            return l == null ? null : String.join(", ", l);
        }
    }

    static Reply handle(Req r) {
        try {
            ApiKey k = authenticate(r);
            if (k == null) return unauthorized();
            String env = r.header("X-Environment");
            if (env != null) {
                if (!env.equals(SAND) && !env.equals(PROD))
                    throw new Fail(400, "GW_UNKNOWN_ENVIRONMENT", one ? "Unknown environment" : "unknown environment",
                            "X-Environment must be PRODUCTION or SANDBOX");
                if (!env.equals(k.env))
                    throw new Fail(403, "GW_ENVIRONMENT_KEY_MISMATCH",
                            one ? "The key belongs to the other environment" : "environment mismatch", null);
            }
            return route(r, k);
        } catch (Fail f) {
            return f.reply();
        } catch (Throwable t) {
            t.printStackTrace();
            return new Fail(500, one ? "GW_INTERNAL" : "RES500", "Internal error", null).reply();
        }
    }

    static ApiKey authenticate(Req r) {
        String key = r.header("X-API-Key"), secret = r.header("X-API-Secret");
        if (key == null || secret == null) return null;
        ApiKey k = KEYS.get(key);
        byte[] expected = (k == null ? "................................" : k.secret).getBytes(UTF_8);
        boolean same = MessageDigest.isEqual(expected, secret.getBytes(UTF_8));
        return k == null || !same || k.revoked ? null : k;
    }

    static void mayWrite(ApiKey k) { if (!k.write) throw forbidden(); }

    static Reply route(Req r, ApiKey k) {
        String path = r.path();
        if (!path.startsWith(prefix + "/api/v1/")) throw noRoute();
        String rest = path.substring(prefix.length() + 8);
        if (!one && rest.endsWith("/")) rest = rest.substring(0, rest.length() - 1);
        String[] raw = rest.split("/", -1);
        String[] s = new String[raw.length];
        for (int i = 0; i < raw.length; i++) s[i] = decode(raw[i], false);
        String m = r.method(), call = m + " " + String.join("/", raw);

        switch (call) {
            case "GET invoices": return listInvoices(r, k);
            case "POST invoices": mayWrite(k); return create(r, k);
            case "POST settings/webhooks": mayWrite(k); return subscribe(r, k);
            case "GET settings/webhooks": return listSubscriptions(r, k);
            case "POST settings/api-keys/sandbox/reset": mayWrite(k); return reset(r, k);
            case "GET bookings": return listBookings(r, k);
            case "GET connections": return listConnections(r, k);
            default:
        }
        return one ? routeOne(r, k, s, call) : routeTwo(r, k, s, call);
    }

    static Reply routeOne(Req r, ApiKey k, String[] s, String call) {
        String m = r.method();
        if (s.length >= 2 && s[0].equals("invoices")) {
            String tail = m + (s.length > 2 ? " " + String.join("/", Arrays.copyOfRange(s, 2, s.length)) : "");
            switch (tail) {
                case "GET": return Reply.of(200, read(k, s[1]));
                case "PUT submission": mayWrite(k); return act("submit", k, s[1], body(r, true));
                case "PUT approval": mayWrite(k); return act("approve", k, s[1], body(r, true));
                case "POST disputes": mayWrite(k); return act("dispute", k, s[1], body(r, true));
                case "PATCH disputes/latest": mayWrite(k); return act("resolve", k, s[1], body(r, true));
                case "PUT cancellation": mayWrite(k); return act("cancel", k, s[1], body(r, true));
                case "DELETE": mayWrite(k); return act("delete", k, s[1], body(r, true));
                default: throw noRoute();
            }
        }
        switch (call) {
            case "POST payments": {
                mayWrite(k);
                Map<String, Object> b = body(r, false);
                declared(b, badCode(), "invoiceId");
                return act("settle", k, text(b, "invoiceId", true, "INV002"), obj());
            }
            case "POST treasury/balance": return balance(k, body(r, true));
            case "POST treasury/withdrawals": mayWrite(k); return withdraw(k, body(r, false));
            default: throw noRoute();
        }
    }

    static Reply routeTwo(Req r, ApiKey k, String[] s, String call) {
        if (s.length == 2 && s[0].equals("ledger")) {
            if (r.method().equals("GET")) return Reply.of(200, obj("invoice", read(k, s[1])));
            if (r.method().equals("DELETE")) { mayWrite(k); return act("delete", k, s[1], body(r, true)); }
            throw noRoute();
        }
        switch (call) {
            case "POST commands": {
                mayWrite(k);
                Map<String, Object> b = body(r, false);
                String op = text(b, "do", true, "CMD400");
                if (!OFFERED.containsKey(op) || op.equals("delete")) throw bad("CMD400", "do: unknown command");
                String id = text(b, "invoice", true, "INV002");
                Map<String, Object> rest = new LinkedHashMap<>(b);
                rest.remove("do");
                rest.remove("invoice");
                return act(op, k, id, rest);
            }
            case "GET treasury/balance": {
                Map<String, Object> b = new LinkedHashMap<>(body(r, true));
                Map<String, String> q = query(r, Set.of("requestId"));
                if (q.containsKey("requestId")) b.putIfAbsent("requestId", q.get("requestId"));
                return balance(k, b);
            }
            case "POST treasury/withdraw": mayWrite(k); return withdraw(k, body(r, false));
            default: throw noRoute();
        }
    }

    // ------------------------------------------------------------------ body and query helpers

    static String badCode() { return one ? "INV002" : "GW_BODY_INVALID"; }

    static Map<String, Object> body(Req r, boolean mayBeEmpty) {
        if (r.body().length == 0) {
            if (mayBeEmpty) return new LinkedHashMap<>();
            throw badInvoice("a JSON object is required");
        }
        String type = r.header("Content-Type");
        if (one && (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")))
            throw bad("GW_BODY_UNREADABLE", "the body must be sent as application/json");
        Object v;
        try {
            String text = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(r.body())).toString();
            v = Json.read(text, one);
        } catch (CharacterCodingException | Json.Bad e) {
            throw bad(one ? "GW_BODY_UNREADABLE" : "GW_BODY_INVALID", "the body is not valid JSON");
        }
        if (!(v instanceof Map)) throw badInvoice("the body must be a JSON object");
        @SuppressWarnings("unchecked") Map<String, Object> m = (Map<String, Object>) v;
        return m;
    }

    static void declared(Map<String, Object> b, String code, String... names) {
        List<String> known = List.of(names);
        for (String f : b.keySet())
            if (!known.contains(f)) throw bad(code, one ? "undeclared field: " + f : f + " is not a field of this operation");
    }

    /** A string field. Null stands for absence in dialect one and is refused in dialect two (unless required). */
    static String text(Map<String, Object> b, String name, boolean required, String code) {
        Object v = b.get(name);
        if (v == null) {
            if (required) throw bad(code, name + (one ? " is required" : ": missing"));
            if (b.containsKey(name) && !one) throw bad(code, name + ": must not be null");
            return null;
        }
        if (!(v instanceof String t)) throw bad(code, name + (one ? " must be a string" : ": not a string"));
        return t;
    }

    static String requestId(Map<String, Object> b, String code) {
        String id = text(b, "requestId", false, code);
        if (one && id != null && id.isEmpty()) throw bad(code, "requestId must not be empty");
        return id;
    }

    static final Pattern EXACT = Pattern.compile("(0|[1-9][0-9]*)\\.[0-9]{2}");
    static final Pattern LOOSE = Pattern.compile("[0-9]+(\\.[0-9]{1,2})?");

    /** one: exactly two fraction digits, more than zero; two: none to two fraction digits, zero allowed on invoices. */
    static BigDecimal amount(String t, String name, String code, boolean zero, int digits) {
        if (!(one ? EXACT : LOOSE).matcher(t).matches()) throw bad(code, name + " must be a decimal such as \"1250.00\"");
        BigDecimal a = new BigDecimal(t).setScale(2);
        if (a.precision() - 2 > digits) throw bad(code, name + " is too large");
        if (a.signum() == 0 && !zero) throw bad(code, name + " must be greater than zero");
        return a;
    }

    static final Pattern UUID_FORM = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    static final Pattern DATE_FORM = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    static String uuid(Map<String, Object> b, String name) {
        String t = text(b, name, true, "INV002");
        if (!UUID_FORM.matcher(t).matches()) throw badInvoice(name + " must be a UUID");
        return t.toLowerCase(Locale.ROOT);
    }

    static String date(Map<String, Object> b, String name) {
        String t = text(b, name, true, "INV002");
        try {
            if (!DATE_FORM.matcher(t).matches()) throw new DateTimeException(t);
            if (LocalDate.of(Integer.parseInt(t.substring(0, 4)), Integer.parseInt(t.substring(5, 7)),
                    Integer.parseInt(t.substring(8))).getYear() < 1) throw new DateTimeException(t);
        } catch (DateTimeException e) {
            throw badInvoice(name + " must be a calendar date in the form YYYY-MM-DD");
        }
        return t;
    }

    static String decode(String t, boolean form) {
        if (t.indexOf('%') < 0 && !(form && t.indexOf('+') >= 0)) return t;
        try {
            return URLDecoder.decode(form ? t : t.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad("GW_QUERY_INVALID", "malformed percent encoding");
        }
    }

    /** one: unknown parameters are ignored, repeated ones refused; two: unknown ones refused, the last repetition counts. */
    static Map<String, String> query(Req r, Set<String> known) {
        Map<String, String> q = new LinkedHashMap<>();
        if (r.query() == null || r.query().isEmpty()) return q;
        for (String part : r.query().split("&")) {
            if (part.isEmpty()) continue;
            int e = part.indexOf('=');
            String n = decode(e < 0 ? part : part.substring(0, e), true), v = e < 0 ? "" : decode(part.substring(e + 1), true);
            if (!known.contains(n)) {
                if (one) continue;
                throw bad("GW_QUERY_INVALID", n + " is not a parameter of this operation");
            }
            if (q.put(n, v) != null && one) throw bad("GW_QUERY_INVALID", n + " is given twice");
        }
        return q;
    }

    // ------------------------------------------------------------------ lists

    static int comparing(Object a, Object b) {
        if (a == null || b == null) return a == b ? 0 : a == null ? 1 : -1;
        @SuppressWarnings({"unchecked", "rawtypes"}) int c = ((Comparable) a).compareTo(b);
        return c;
    }

    static BigInteger whole(String v, String name) {
        if (!Pattern.matches(one ? "[0-9]{1,9}" : "-?[0-9]{1,40}", v)) throw bad("GW_QUERY_INVALID", name + " must be an integer");
        return new BigInteger(v);
    }

    /** rows come in order of creation. */
    static <T> Reply paged(Req r, List<T> rows, Map<String, Function<T, Object>> fields, String timeField,
                           Function<T, Map<String, Object>> show) {
        Map<String, String> q = query(r, Set.of("page", "limit", "sortBy", "sortOrder"));
        if (!one) q.values().removeIf(String::isEmpty);
        BigInteger page = q.containsKey("page") ? whole(q.get("page"), "page") : BigInteger.ZERO;
        BigInteger size = q.containsKey("limit") ? whole(q.get("limit"), "limit") : BigInteger.valueOf(one ? 25 : 12);
        int limit;
        if (one) {
            limit = size.intValue();
            if (limit < 1 || limit > 100) throw bad("GW_QUERY_INVALID", "limit must be between 1 and 100");
        } else {
            limit = size.max(BigInteger.ONE).min(BigInteger.valueOf(100)).intValue();
        }
        String order = q.get("sortOrder");
        if (order != null && !one) order = order.toLowerCase(Locale.ROOT);
        if (order != null && !order.equals("asc") && !order.equals("desc"))
            throw bad("GW_QUERY_INVALID", "sortOrder must be asc or desc");
        String by = q.get("sortBy");
        if (by != null && !fields.containsKey(by)) throw bad("GW_QUERY_INVALID", "sortBy must name a field of the record");

        boolean down = order == null ? one : order.equals("desc");
        if (by == null) by = timeField;
        Function<T, Object> f = fields.get(by);
        List<T> sorted = new ArrayList<>(rows);
        sorted.sort((a, b) -> comparing(f.apply(a), f.apply(b)));
        if (down) Collections.reverse(sorted);

        int total = sorted.size(), pages = (total + limit - 1) / limit;
        if (!one) page = page.max(BigInteger.ZERO).min(BigInteger.valueOf(Math.max(0, pages - 1)));
        long from = Math.min(page.longValue() * limit, total), to = Math.min(from + limit, total);
        List<Object> items = new ArrayList<>();
        for (T t : sorted.subList((int) from, (int) to)) items.add(show.apply(t));
        Map<String, Object> m = one
                ? obj("items", items, "page", page.longValue(), "limit", limit, "total", total, "totalPages", pages)
                : obj("total", total, "totalPages", pages, "limit", limit, "page", page.longValue(), "sort",
                      obj("by", by, "order", down ? "desc" : "asc"), "items", items);
        Reply reply = Reply.of(200, m);
        return one ? reply.inChunks() : reply;
    }

    static boolean sees(ApiKey k, Inv v) {
        if (v == null || !v.env().equals(k.env) || !v.party(k.org)) return false;
        return !one || !v.status().equals("DRAFT") || v.seller().equals(k.org);
    }

    static Reply listInvoices(Req r, ApiKey k) {
        List<Inv> rows = new ArrayList<>();
        synchronized (LOCK) {
            for (String id : BY_ORG.getOrDefault(k.env + "|" + k.org, new LinkedHashSet<>())) {
                Inv v = INVOICES.get(id);
                if (sees(k, v)) rows.add(v);
            }
        }
        return paged(r, rows, FIELDS, "createdAt", Server::item);
    }

    static Reply listBookings(Req r, ApiKey k) {
        List<Booking> rows = new ArrayList<>();
        synchronized (LOCK) {
            for (Booking b : BOOKINGS.values())
                if (b.env().equals(k.env) && (b.seller().equals(k.org) || b.buyer().equals(k.org))) rows.add(b);
        }
        Map<String, Function<Booking, Object>> f = new LinkedHashMap<>();
        f.put("id", Booking::id);
        f.put("invoiceId", Booking::invoice);
        f.put("amount", Booking::amount);
        f.put("currency", Booking::currency);
        f.put("state", Booking::state);
        f.put("createdAt", Booking::created);
        return paged(r, rows, f, "createdAt", b -> obj("id", b.id(), "invoiceId", b.invoice(), "state", b.state(),
                "amount", money(b.amount()), "currency", b.currency(), "createdAt", time(b.created())));
    }

    static Reply listConnections(Req r, ApiKey k) {
        List<Conn> rows = new ArrayList<>();
        for (Conn c : CONNS) if (c.seller().equals(k.org) || c.buyer().equals(k.org)) rows.add(c);
        Map<String, Function<Conn, Object>> f = new LinkedHashMap<>();
        f.put("id", Conn::id);
        f.put("state", Conn::state);
        return paged(r, rows, f, "id", c -> {
            Org other = ORGS.get(c.seller().equals(k.org) ? c.buyer() : c.seller());
            return obj("id", c.id(), "state", c.state(), "counterparty", obj("organizationId", other.id(), "name", other.name()));
        });
    }

    static Reply listSubscriptions(Req r, ApiKey k) {
        List<Sub> rows = new ArrayList<>();
        for (Sub s : SUBS) if (s.org().equals(k.org) && s.env().equals(k.env)) rows.add(s);
        Map<String, Function<Sub, Object>> f = new LinkedHashMap<>();
        f.put("id", Sub::id);
        f.put("url", Sub::url);
        f.put("createdAt", Sub::created);
        return paged(r, rows, f, "createdAt", Server::showSub);
    }

    // ------------------------------------------------------------------ idempotency

    static String slot(ApiKey k, String op, String requestId) {
        return k.env + "\u0000" + k.org + "\u0000" + op + "\u0000" + requestId;
    }

    static Reply replayed(ApiKey k, String op, String requestId) {
        if (requestId == null) return null;
        synchronized (LOCK) {
            Stored s = REPLIES.get(slot(k, op, requestId));
            if (s == null) return null;
            Reply r = new Reply(s.status(), s.body(), Map.of(), false);
            return one ? r : r.with("X-Idempotent-Replay", "true");
        }
    }

    static Reply remember(ApiKey k, String op, String requestId, Reply r) {
        if (requestId != null) REPLIES.put(slot(k, op, requestId), new Stored(r.status(), r.body()));
        return r;
    }

    /** Dialect two answers a known requestId before it looks at the rest of the body. */
    static Reply early(ApiKey k, String op, Map<String, Object> b) {
        return !one && b.get("requestId") instanceof String id ? replayed(k, op, id) : null;
    }

    // ------------------------------------------------------------------ invoices

    static Reply create(Req r, ApiKey k) {
        Map<String, Object> b = body(r, false);
        Reply known = early(k, "create", b);
        if (known != null) return known;
        if (one) declared(b, badCode(), "sellerId", "buyerId", "amount", "dueDate", "currency", "description", "requestId");
        String sellerId = uuid(b, "sellerId"), buyerId = uuid(b, "buyerId");
        BigDecimal amount = amount(text(b, "amount", true, "INV002"), "amount", "INV002", !one, one ? 12 : 15);
        String due = date(b, "dueDate");
        String currency = text(b, "currency", false, "INV002");
        if (currency == null) currency = one ? "USD" : "EUR";
        if (!one) currency = currency.toUpperCase(Locale.ROOT);
        if (!currency.matches("[A-Z]{3}") || one && !ISO.contains(currency)) throw badInvoice("currency must be a currency code");
        String description = text(b, "description", false, "INV002");
        String requestId = requestId(b, "INV002");
        if (!one) declared(b, badCode(), "sellerId", "buyerId", "amount", "dueDate", "currency", "description", "requestId");
        if (!one && sellerId.equals(buyerId)) throw badInvoice("sellerId and buyerId must differ");

        synchronized (LOCK) {
            known = replayed(k, "create", requestId);
            if (known != null) return known;
            Conn c = null;
            for (Conn x : CONNS) if (x.seller().equals(sellerId) && x.buyer().equals(buyerId)) c = x;
            if (c == null || !k.org.equals(c.seller()) && !k.org.equals(c.buyer())) throw noConnection();
            if (!k.org.equals(c.seller())) throw forbidden();
            if (!c.state().equals("ACTIVE"))
                throw new Fail(412, "CONN010", one ? "The connection is not active" : "connection not active", null);
            Inv v = add(c, k.env, one ? "DRAFT" : "SUBMITTED", amount, currency, due, description, now());
            Reply reply = one ? Reply.of(201, obj("data", full(v))).with("Location", prefix + "/api/v1/invoices/" + v.id())
                              : Reply.of(200, full(v));
            if (!one) emit("BOOKING_CREATED", v);
            return remember(k, "create", requestId, reply);
        }
    }

    static final Set<String> ISO = new HashSet<>();

    static Inv add(Conn c, String env, String status, BigDecimal amount, String currency, String due, String description, Instant at) {
        Inv v = new Inv(newId("in"), newNumber(c, at), status, amount, currency, c.buyer(), c.seller(), due, at, at,
                description, env, c.id(), 1, null, ++sequence);
        INVOICES.put(v.id(), v);
        for (String org : List.of(c.seller(), c.buyer()))
            BY_ORG.computeIfAbsent(env + "|" + org, x -> new LinkedHashSet<>()).add(v.id());
        return v;
    }

    static void remove(Inv v) {
        INVOICES.remove(v.id());
        for (String org : List.of(v.seller(), v.buyer())) {
            Set<String> ids = BY_ORG.get(v.env() + "|" + org);
            if (ids != null) ids.remove(v.id());
        }
        BOOKINGS.remove(v.id());
    }

    static Map<String, Object> read(ApiKey k, String id) {
        synchronized (LOCK) {
            Inv v = INVOICES.get(id);
            if (!sees(k, v)) throw noInvoice();
            return full(v);
        }
    }

    /** Refusal of an action that the state does not offer. */
    static Fail refuse(String op, String status) {
        boolean conflict;
        if (op.equals("settle") && !status.equals("SETTLED")) conflict = false;            // never approved: always 412
        else if (op.equals("approve") && status.equals("SETTLED")) conflict = true;        // the example of the contract
        else conflict = one && (status.equals("SETTLED") || status.equals("CANCELLED") || status.equals(result(op)));
        return conflict
                ? new Fail(409, one ? "WF_CONFLICT" : "INV_CONFLICT", one ? "The invoice is already " + status : "state conflict", null)
                : new Fail(412, "INV004", one ? "Not possible while the invoice is " + status : "action not offered in this status", null);
    }

    static void permit(String op, ApiKey k, Inv v) {
        if (!actors(op).contains(k.org.equals(v.seller()) ? "seller" : "buyer")) throw forbidden();
    }

    static void offered(String op, Inv v) {
        if (!v.status().equals(OFFERED.get(op))) throw refuse(op, v.status());
        if (v.pending() != null)
            throw new Fail(409, one ? "WF_BUSY" : "INV_CONFLICT", one ? "A " + v.pending() + " is in progress" : "state conflict", null);
    }

    static Reply act(String op, ApiKey k, String id, Map<String, Object> b) {
        String requestId = null, note = null, adjusted = null;
        BigDecimal newAmount = null;
        if (op.equals("submit")) {
            Reply known = early(k, op, b);
            if (known != null) return known;
            declared(b, badCode(), "requestId");
            requestId = requestId(b, badCode());
        } else if (op.equals("dispute")) {
            declared(b, badCode(), one ? "reason" : "note");
            note = text(b, one ? "reason" : "note", one, badCode());
        } else if (op.equals("resolve")) {
            declared(b, badCode(), one ? "notes" : "note", "adjustedAmount");
            note = text(b, one ? "notes" : "note", false, badCode());
            adjusted = text(b, "adjustedAmount", false, badCode());
            if (adjusted != null) newAmount = amount(adjusted, "adjustedAmount", "INV002", !one, one ? 12 : 15);
            if (one && note == null && adjusted == null) throw badInvoice("notes or adjustedAmount is required");
        } else {
            declared(b, badCode());
        }

        synchronized (LOCK) {
            Reply known = replayed(k, op, requestId);
            if (known != null) return known;
            Inv v = INVOICES.get(id);
            if (!sees(k, v)) throw noInvoice();
            if (one) { permit(op, k, v); offered(op, v); } else { offered(op, v); permit(op, k, v); }

            if (op.equals("delete")) {
                remove(v);
                return one ? Reply.of(204, null) : Reply.of(200, obj("deleted", id, "at", time(now())));
            }
            if (op.equals("settle") && one) {                                // dialect one pays from the buyer's (play) wallet
                if (wallet(v.env(), v.buyer(), v.currency()).compareTo(v.amount()) < 0) throw poor();
                pay(v.env(), v.buyer(), v.currency(), v.amount().negate());
            }
            long delay = delayOf(op);
            Inv after;
            if (delay == 0) {
                after = commit(op, v, newAmount);
            } else {
                after = new Inv(v.id(), v.number(), v.status(), v.amount(), v.currency(), v.buyer(), v.seller(), v.due(),
                        v.created(), v.changed(), v.description(), v.env(), v.conn(), v.revision(), op, v.seq());
                INVOICES.put(id, after);
                LATER.schedule(() -> {
                    synchronized (LOCK) {
                        Inv w = INVOICES.get(id);
                        if (w != null && op.equals(w.pending())) commit(op, w, null);
                    }
                }, delay, TimeUnit.MILLISECONDS);
            }
            Reply reply;
            if (one) {
                reply = switch (op) {
                    case "settle" -> Reply.of(202, obj("payment", obj("id", newId("pay"), "invoiceId", id,
                            "state", "PROCESSING", "amount", money(v.amount()), "currency", v.currency())));
                    case "dispute" -> Reply.of(201, obj("dispute", obj("reason", note, "openedAt", time(now())), "invoice", item(after)));
                    case "resolve" -> Reply.of(200, obj("resolution", obj("notes", note), "invoice", item(after)));
                    default -> Reply.of(200, item(after));
                };
            } else {
                reply = Reply.of(delay == 0 ? 200 : 202, obj("command", obj("do", op, "state", delay == 0 ? "DONE" : "ACCEPTED"),
                        "invoice", full(after)));
            }
            return remember(k, op, requestId, reply);
        }
    }

    static Inv commit(String op, Inv v, BigDecimal newAmount) {
        Inv after = v.to(result(op), newAmount == null ? v.amount() : newAmount, null);
        INVOICES.put(v.id(), after);
        if (op.equals("settle") && one) pay(v.env(), v.seller(), v.currency(), v.amount());
        if (after.status().equals("APPROVED") || after.status().equals("SETTLED")) book(after);
        switch (op) {
            case "submit" -> emit(one ? "INVOICE_SUBMITTED" : "BOOKING_CREATED", after);
            case "approve" -> { emit(one ? "BOOKING_CREATED" : "BOOKING_UPDATED", after); emit("INVOICE_APPROVED", after); }
            case "settle" -> { emit("PAYMENT_COMPLETED", after); if (one) emit("BOOKING_UPDATED", after); }
            case "resolve" -> { if (one) emit("BOOKING_CREATED", after); }
            default -> { if (!one) emit("BOOKING_UPDATED", after); }
        }
        return after;
    }

    static void book(Inv v) {
        Booking old = BOOKINGS.get(v.id());
        BOOKINGS.put(v.id(), new Booking(old == null ? newId("bk") : old.id(), v.id(), v.seller(), v.buyer(), v.env(), v.amount(),
                v.currency(), v.status().equals("SETTLED") ? "BOOKED" : "PLANNED", old == null ? v.changed() : old.created()));
    }

    // ------------------------------------------------------------------ treasury

    static BigDecimal wallet(String env, String org, String currency) {
        return WALLETS.computeIfAbsent(env + "|" + org + "|" + currency, x -> env.equals(SAND)
                ? new BigDecimal(one ? "750000000.00" : "48250.75") : new BigDecimal("1840.55"));
    }

    static void pay(String env, String org, String currency, BigDecimal delta) {
        WALLETS.put(env + "|" + org + "|" + currency, wallet(env, org, currency).add(delta));
    }

    static Reply balance(ApiKey k, Map<String, Object> b) {
        Reply known = early(k, "balance", b);
        if (known != null) return known;
        String code = one ? "TREAS001" : "TR400";
        if (one) declared(b, code, "currency", "requestId"); else declared(b, code, "requestId");
        String currency = text(b, "currency", false, code);
        if (currency == null) currency = one ? "USD" : "EUR";
        if (!ISO.contains(currency)) throw bad(code, "currency must be a currency code");
        String requestId = requestId(b, code);
        synchronized (LOCK) {
            known = replayed(k, "balance", requestId);
            if (known != null) return known;
            BigDecimal w = wallet(k.env, k.org, currency);
            Reply reply = one
                    ? Reply.of(200, obj("balance", money(w), "currency", currency, "asOf", time(now())))
                    : Reply.of(200, obj("accounts", List.of(obj("currency", currency, "available", money(w),
                            "outgoing", money(OUTGOING.getOrDefault(k.env + "|" + k.org, BigDecimal.ZERO))))));
            return remember(k, "balance", requestId, reply);
        }
    }

    static Reply withdraw(ApiKey k, Map<String, Object> b) {
        Reply known = early(k, "withdraw", b);
        if (known != null) return known;
        String code = one ? "TREAS001" : "TR400", field = one ? "amount" : "sum";
        if (one) declared(b, code, "amount", "destination", "currency", "requestId"); else declared(b, code, "sum", "note", "requestId");
        BigDecimal amount = amount(text(b, field, true, code), field, code, false, 30);
        String target = text(b, one ? "destination" : "note", false, code);
        String currency = one ? text(b, "currency", false, code) : null;
        if (currency == null) currency = one ? "USD" : "EUR";
        if (!ISO.contains(currency)) throw bad(code, "currency must be a currency code");
        String requestId = requestId(b, code);
        synchronized (LOCK) {
            known = replayed(k, "withdraw", requestId);
            if (known != null) return known;
            if (wallet(k.env, k.org, currency).compareTo(amount) < 0) throw poor();
            pay(k.env, k.org, currency, amount.negate());
            Reply reply;
            if (one) {
                reply = Reply.of(201, obj("withdrawal", obj("id", newId("wd"), "amount", money(amount), "currency", currency,
                        "destination", target, "state", "EXECUTED", "simulated", k.env.equals(SAND)),
                        "balanceAfter", money(wallet(k.env, k.org, currency))));
            } else {                                                          // leaves "outgoing" a little later
                String slot = k.env + "|" + k.org;
                OUTGOING.merge(slot, amount, BigDecimal::add);
                LATER.schedule(() -> {
                    synchronized (LOCK) { OUTGOING.merge(slot, amount.negate(), BigDecimal::add); }
                }, 400, TimeUnit.MILLISECONDS);
                reply = Reply.of(202, obj("reference", newId("wd"), "state", "QUEUED", "sum", money(amount), "currency", currency));
            }
            return remember(k, "withdraw", requestId, reply);
        }
    }

    // ------------------------------------------------------------------ sandbox reset

    /**
     * one: clears the sandbox of the calling organization (its keys, its invoices on either side); a production key may call it.
     * two: the sandbox is one shared test bed and is cleared as a whole; production keys are refused.
     */
    static Reply reset(Req r, ApiKey k) {
        declared(body(r, true), badCode());
        if (!one && k.env.equals(PROD)) throw forbidden();
        synchronized (LOCK) {
            int keys = 0, gone = 0;
            for (ApiKey x : List.copyOf(KEYS.values()))
                if (x.env.equals(SAND) && (!one || x.org.equals(k.org))) { KEYS.remove(x.key); keys++; }
            for (Inv v : List.copyOf(INVOICES.values()))
                if (v.env().equals(SAND) && (!one || v.party(k.org))) { remove(v); gone++; }
            return one ? Reply.of(200, obj("cleared", obj("apiKeys", keys, "invoices", gone))) : Reply.of(202, obj("reset", "done"));
        }
    }

    // ------------------------------------------------------------------ webhooks

    static final Set<String> KINDS = Set.of("BOOKING_CREATED", "BOOKING_UPDATED", "PAYMENT_COMPLETED", "INVOICE_SUBMITTED", "INVOICE_APPROVED");

    static Map<String, Object> showSub(Sub s) {
        return one ? obj("id", s.id(), "url", s.url(), "eventTypes", new ArrayList<>(s.kinds()), "createdAt", time(s.created()))
                   : obj("id", s.id(), "receiver", s.url(), "kinds", new ArrayList<>(s.kinds()), "active", true);
    }

    static Reply subscribe(Req r, ApiKey k) {
        String code = one ? "WH001" : "SET400";
        Map<String, Object> b = body(r, false);
        declared(b, code, "url", "eventTypes", "signingSecret");
        String url = text(b, "url", true, code);
        try {
            URI u = new URI(url);
            if (u.getHost() == null || !Set.of("http", "https").contains(String.valueOf(u.getScheme()).toLowerCase(Locale.ROOT)))
                throw new URISyntaxException(url, "scheme or host");
        } catch (URISyntaxException e) {
            throw bad(code, "url must be an absolute http or https address");
        }
        if (!(b.get("eventTypes") instanceof List<?> list)) throw bad(code, "eventTypes must be an array of strings");
        if (one && list.isEmpty()) throw bad(code, "eventTypes must not be empty");
        Set<String> kinds = new LinkedHashSet<>();
        for (Object o : list) {
            if (!(o instanceof String kind)) throw bad(code, "eventTypes must be an array of strings");
            if (one && !KINDS.contains(kind)) throw bad(code, "unknown event kind: " + kind);
            kinds.add(kind);
        }
        String secret = text(b, "signingSecret", one, code);
        Sub s = new Sub(newId("wh"), k.org, k.env, url, kinds, secret == null ? "" : secret, now());
        SUBS.add(s);
        return Reply.of(one ? 201 : 200, one ? obj("subscription", showSub(s)) : showSub(s));
    }

    static final ScheduledThreadPoolExecutor LATER = new ScheduledThreadPoolExecutor(2, Server::daemon);
    static final ExecutorService POOL = Executors.newCachedThreadPool(Server::daemon);
    static volatile HttpClient client;

    static Thread daemon(Runnable r) {
        Thread t = new Thread(r);
        t.setDaemon(true);
        return t;
    }

    static void emit(String kind, Inv v) {
        for (Sub s : SUBS) {
            if (!s.env().equals(v.env()) || !v.party(s.org()) || !s.kinds().contains(kind)) continue;
            Map<String, Object> m = one
                    ? obj("eventId", newId("ev"), "eventType", kind, "occurredAt", time(now()), "environment", v.env(), "invoice", item(v))
                    : obj("type", kind, "at", time(now()), "data", obj("invoiceId", v.id(), "status", v.status(), "amount", money(v.amount())));
            byte[] payload = Json.write(m).getBytes(UTF_8);
            POOL.execute(() -> deliver(s, payload, 0));
        }
    }

    /** one: up to three repetitions when the receiver does not answer 2xx; two: a single attempt. */
    static void deliver(Sub s, byte[] payload, int attempt) {
        try {
            if (client == null) {
                synchronized (POOL) {
                    if (client == null)
                        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(POOL)
                                .connectTimeout(Duration.ofSeconds(3)).build();
                }
            }
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec((s.secret().isEmpty() ? "-" : s.secret()).getBytes(UTF_8), "HmacSHA256"));
            byte[] sum = mac.doFinal(payload);
            HttpRequest.Builder q = HttpRequest.newBuilder(URI.create(s.url())).timeout(Duration.ofSeconds(5))
                    .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofByteArray(payload));
            if (one) q.header("X-Svc-Signature", "sha256=" + HexFormat.of().formatHex(sum)).header("X-Svc-Attempt", String.valueOf(attempt + 1));
            else q.header("Webhook-Signature", "v1," + Base64.getEncoder().encodeToString(sum)).header("Webhook-Id", s.id());
            client.sendAsync(q.build(), HttpResponse.BodyHandlers.discarding()).whenComplete((h, e) -> {
                boolean fine = e == null && h.statusCode() / 100 == 2;
                if (!fine && one && attempt < 3)
                    LATER.schedule(() -> POOL.execute(() -> deliver(s, payload, attempt + 1)), 250L << attempt, TimeUnit.MILLISECONDS);
            });
        } catch (Exception e) {
            System.err.println("delivery failed: " + e);
        }
    }

    // ------------------------------------------------------------------ JSON

    static final class Json {
        static final class Bad extends Exception {
            Bad() { super(null, null, false, false); }
        }

        record Num(String raw) {}

        final String t;
        final boolean unique;
        int i = 0;

        Json(String t, boolean unique) { this.t = t; this.unique = unique; }

        static Object read(String t, boolean unique) throws Bad {
            Json j = new Json(t, unique);
            Object v = j.value(0);
            j.blank();
            if (j.i < t.length()) throw new Bad();
            return v;
        }

        void blank() { while (i < t.length() && " \t\r\n".indexOf(t.charAt(i)) >= 0) i++; }

        char peek() throws Bad {
            if (i >= t.length()) throw new Bad();
            return t.charAt(i);
        }

        static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

        Object value(int depth) throws Bad {
            if (depth > 60) throw new Bad();
            blank();
            char c = peek();
            if (c == '{') {
                Map<String, Object> m = new LinkedHashMap<>();
                i++;
                blank();
                if (peek() == '}') { i++; return m; }
                while (true) {
                    blank();
                    if (peek() != '"') throw new Bad();
                    String k = string();
                    blank();
                    if (peek() != ':') throw new Bad();
                    i++;
                    Object v = value(depth + 1);
                    if (unique && m.containsKey(k)) throw new Bad();
                    m.put(k, v);
                    blank();
                    char d = peek();
                    i++;
                    if (d == '}') return m;
                    if (d != ',') throw new Bad();
                }
            }
            if (c == '[') {
                List<Object> l = new ArrayList<>();
                i++;
                blank();
                if (peek() == ']') { i++; return l; }
                while (true) {
                    l.add(value(depth + 1));
                    blank();
                    char d = peek();
                    i++;
                    if (d == ']') return l;
                    if (d != ',') throw new Bad();
                }
            }
            if (c == '"') return string();
            for (String w : List.of("true", "false", "null"))
                if (t.startsWith(w, i)) { i += w.length(); return w.equals("null") ? null : (Object) w.equals("true"); }
            var m = NUMBER.matcher(t).region(i, t.length());
            if (!m.lookingAt()) throw new Bad();
            i = m.end();
            return new Num(m.group());
        }

        String string() throws Bad {
            StringBuilder b = new StringBuilder();
            i++;
            while (true) {
                char c = peek();
                i++;
                if (c == '"') return b.toString();
                if (c < 0x20) throw new Bad();
                if (c != '\\') { b.append(c); continue; }
                c = peek();
                i++;
                switch (c) {
                    case '"', '\\', '/' -> b.append(c);
                    case 'b' -> b.append('\b');
                    case 'f' -> b.append('\f');
                    case 'n' -> b.append('\n');
                    case 'r' -> b.append('\r');
                    case 't' -> b.append('\t');
                    case 'u' -> {
                        if (i + 4 > t.length() || !t.substring(i, i + 4).matches("[0-9a-fA-F]{4}")) throw new Bad();
                        b.append((char) Integer.parseInt(t.substring(i, i + 4), 16));
                        i += 4;
                    }
                    default -> throw new Bad();
                }
            }
        }

        static String write(Object o) {
            StringBuilder b = new StringBuilder();
            put(b, o);
            return b.toString();
        }

        static void put(StringBuilder b, Object o) {
            if (o instanceof Map<?, ?> m) {
                String sep = "{";
                for (var e : m.entrySet()) {
                    b.append(sep);
                    put(b, e.getKey());
                    b.append(':');
                    put(b, e.getValue());
                    sep = ",";
                }
                b.append(m.isEmpty() ? "{}" : "}");
            } else if (o instanceof List<?> l) {
                b.append('[');
                for (int n = 0; n < l.size(); n++) {
                    if (n > 0) b.append(',');
                    put(b, l.get(n));
                }
                b.append(']');
            } else if (o instanceof String s) {
                b.append('"');
                for (int n = 0; n < s.length(); n++) {
                    char c = s.charAt(n);
                    boolean lone = Character.isSurrogate(c) && !(Character.isHighSurrogate(c) ? n + 1 < s.length()
                            && Character.isLowSurrogate(s.charAt(n + 1)) : n > 0 && Character.isHighSurrogate(s.charAt(n - 1)));
                    if (c == '"' || c == '\\') b.append('\\').append(c);
                    else if (c < 0x20 || lone || !one && c > 0x7e) b.append(String.format("\\u%04x", (int) c));
                    else b.append(c);
                }
                b.append('"');
            } else {
                b.append(o);
            }
        }
    }

    // ------------------------------------------------------------------ HTTP

    static final int MAX_BODY = 4 << 20, MAX_LINE = 32 << 10;
    static final class BadHttp extends IOException {}

    static String line(InputStream in) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream(80);
        int c;
        while ((c = in.read()) != '\n') {
            if (c < 0) { if (b.size() == 0) return null; throw new BadHttp(); }
            b.write(c);
            if (b.size() > MAX_LINE) throw new BadHttp();
        }
        String s = b.toString(ISO_8859_1);
        return s.endsWith("\r") ? s.substring(0, s.length() - 1) : s;
    }

    static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(600_000);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 16384);
            OutputStream out = socket.getOutputStream();
            while (true) {
                Req r;
                boolean keep;
                try {
                    String first = line(in);
                    if (first != null && first.isEmpty()) first = line(in);
                    if (first == null) return;
                    String[] p = first.split(" ");
                    if (p.length != 3 || !p[2].startsWith("HTTP/1.")) throw new BadHttp();
                    Map<String, List<String>> h = new HashMap<>();
                    String l;
                    int count = 0;
                    while ((l = line(in)) != null && !l.isEmpty()) {
                        int colon = l.indexOf(':');
                        if (colon < 1 || ++count > 200) throw new BadHttp();
                        h.computeIfAbsent(l.substring(0, colon).toLowerCase(Locale.ROOT), x -> new ArrayList<>()).add(l.substring(colon + 1).strip());
                    }
                    if (l == null) return;
                    String conn = String.join(",", h.getOrDefault("connection", List.of())).toLowerCase(Locale.ROOT);
                    keep = p[2].equals("HTTP/1.1") ? !conn.contains("close") : conn.contains("keep-alive");
                    if (h.containsKey("expect")) { out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1)); out.flush(); }
                    byte[] body = readBody(in, h);
                    String target = p[1];
                    if (target.startsWith("http://")) { int n = target.indexOf('/', 7); target = n < 0 ? "/" : target.substring(n); }
                    int mark = target.indexOf('?');
                    r = new Req(p[0], mark < 0 ? target : target.substring(0, mark), mark < 0 ? null : target.substring(mark + 1), h, body);
                } catch (BadHttp e) {
                    send(out, bad(one ? "GW_BAD_HTTP" : "RES400", "the request cannot be read"), false);
                    return;
                }
                Reply reply = handle(r);
                send(out, reply, keep, r.method().equals("HEAD"));
                if (!keep) return;
            }
        } catch (IOException e) {
            // the peer is gone
        }
    }

    static byte[] readBody(InputStream in, Map<String, List<String>> h) throws IOException {
        if (h.containsKey("transfer-encoding")) {
            ByteArrayOutputStream b = new ByteArrayOutputStream();
            while (true) {
                String l = line(in);
                if (l == null) throw new BadHttp();
                int n;
                try { n = Integer.parseInt(l.split(";")[0].strip(), 16); } catch (NumberFormatException e) { throw new BadHttp(); }
                if (n < 0 || b.size() + n > MAX_BODY) throw new BadHttp();
                if (n == 0) { while ((l = line(in)) != null && !l.isEmpty()) { } return b.toByteArray(); }
                byte[] chunk = in.readNBytes(n);
                if (chunk.length < n) throw new BadHttp();
                b.write(chunk);
                line(in);
            }
        }
        List<String> len = h.get("content-length");
        if (len == null) return new byte[0];
        int n;
        try { n = Integer.parseInt(len.get(0)); } catch (NumberFormatException e) { throw new BadHttp(); }
        if (n < 0 || n > MAX_BODY) throw new BadHttp();
        byte[] b = in.readNBytes(n);
        if (b.length < n) throw new BadHttp();
        return b;
    }

    static void send(OutputStream out, Fail f, boolean keep) throws IOException { send(out, f.reply(), keep, false); }

    static final Map<Integer, String> PHRASES = Map.of(200, "OK", 201, "Created", 202, "Accepted", 204, "No Content", 400, "Bad Request",
            401, "Unauthorized", 403, "Forbidden", 404, "Not Found", 409, "Conflict", 412, "Precondition Failed");

    static void send(OutputStream out, Reply r, boolean keep, boolean head) throws IOException {
        StringBuilder b = new StringBuilder("HTTP/1.1 " + r.status() + " " + PHRASES.getOrDefault(r.status(), "Error") + "\r\n");
        Map<String, String> h = new LinkedHashMap<>();
        if (r.status() != 204) h.put("Content-Type", one ? "application/json" : "application/json; charset=utf-8");
        if (one) h.put("X-Request-Ref", token(12, B32)); else { h.put("Cache-Control", "no-store"); h.put("Server", "settlement-net/4.2"); }
        h.put("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(OffsetDateTime.now(ZoneOffset.UTC)));
        h.putAll(r.headers());
        if (r.chunked()) h.put("Transfer-Encoding", "chunked");
        else if (r.status() != 204) h.put("Content-Length", String.valueOf(r.body().length));
        if (!keep) h.put("Connection", "close");
        h.forEach((k, v) -> b.append(one ? k.toLowerCase(Locale.ROOT) : k).append(": ").append(v).append("\r\n"));
        ByteArrayOutputStream o = new ByteArrayOutputStream(r.body().length + 512);
        o.write(b.append("\r\n").toString().getBytes(ISO_8859_1));
        if (!head && r.chunked()) {
            for (int at = 0; at < r.body().length; at += 3000) {
                int n = Math.min(3000, r.body().length - at);
                o.write((Integer.toHexString(n) + "\r\n").getBytes(ISO_8859_1));
                o.write(r.body(), at, n);
                o.write("\r\n".getBytes(ISO_8859_1));
            }
            o.write("0\r\n\r\n".getBytes(ISO_8859_1));
        } else if (!head) {
            o.write(r.body());
        }
        o.writeTo(out);
        out.flush();
    }

    // ------------------------------------------------------------------ fixtures and start

    static Org org(String name, String kind) {
        Org o = new Org(UUID.randomUUID().toString(), name, kind);
        ORGS.put(o.id(), o);
        return o;
    }

    static Conn connect(Org seller, Org buyer, String state) {
        Conn c = new Conn(one ? "cn." + token(12, B32) : UUID.randomUUID().toString(), seller.id(), buyer.id(), state);
        CONNS.add(c);
        return c;
    }

    static ApiKey key(Org o, String env, boolean write) {
        String mix = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
        ApiKey k = new ApiKey((env.equals(SAND) ? "svc_sand_" : "svc_prod_") + token(one ? 24 : 32, mix), token(one ? 40 : 48, mix), o.id(), env, write);
        KEYS.put(k.key, k);
        return k;
    }

    static void old(Conn c, String env, String status, String amount, String currency, String due, int daysAgo) {
        Instant at = now().minus(daysAgo, ChronoUnit.DAYS).minusSeconds(RANDOM.nextInt(40000));
        Inv v = add(c, env, status, new BigDecimal(amount), currency, due, one ? "Opening stock, lot " + daysAgo : null, at);
        if (status.equals("APPROVED") || status.equals("SETTLED")) book(v);
    }

    static Map<String, Object> shown(ApiKey k, boolean withOrg) {
        Map<String, Object> m = obj("key", k.key, "secret", k.secret);
        if (withOrg) m.put("organizationId", k.org);
        return m;
    }

    static Map<String, Object> op(String method, String path, String actor, Map<String, Object> body) {
        Map<String, Object> m = obj("method", method, "path", path);
        if (actor != null) m.put("actor", actor);
        if (body != null) m.put("body", body);
        return m;
    }

    public static void main(String[] args) throws Exception {
        int port = 0;
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--port" -> port = Integer.parseInt(args[i + 1]);
                case "--dialect" -> {
                    if (!List.of("one", "two").contains(args[i + 1])) { System.err.println("--dialect one|two"); System.exit(2); }
                    one = args[i + 1].equals("one");
                }
                default -> { System.err.println("unknown option " + args[i]); System.exit(2); }
            }
        }
        prefix = one ? "" : "/net";
        for (Currency c : Currency.getAvailableCurrencies()) ISO.add(c.getCurrencyCode());
        declareFields();

        Org seller = org("Brackwater Mills", "SELLER"), buyer = org("Larkfield Depot", "BUYER");
        Org outsider = org("Odd Lot Trading", one ? "SELLER" : "BUYER");
        Org unconnected = org("Farpoint Stores", "BUYER"), suspended = org("Halted Goods", "BUYER");
        Conn main = connect(seller, buyer, "ACTIVE");
        connect(seller, suspended, "SUSPENDED");
        Conn side = one ? connect(outsider, buyer, "ACTIVE") : connect(org("Third Forge", "SELLER"), outsider, "ACTIVE");
        Conn second = one ? null : connect(seller, org("Quayside Kitchens", "BUYER"), "ACTIVE");

        ApiKey sellerKey = key(seller, SAND, true), buyerKey = key(buyer, SAND, true), outsiderKey = key(outsider, SAND, true);
        ApiKey readOnly = key(seller, SAND, false), revoked = key(seller, SAND, true), production = key(seller, PROD, true);
        revoked.revoked = true;

        synchronized (LOCK) {
            if (one) {
                old(main, SAND, "SETTLED", "880.00", "USD", "2025-03-31", 61);
                old(main, SAND, "CANCELLED", "12.40", "GBP", "2025-04-30", 55);
                old(side, SAND, "SUBMITTED", "73.05", "USD", "2025-05-15", 31);
                old(main, PROD, "SETTLED", "51200.00", "USD", "2025-02-28", 90);
                old(main, PROD, "APPROVED", "310.75", "USD", "2025-06-30", 20);
                old(main, PROD, "DRAFT", "95.00", "USD", "2025-07-31", 3);
            } else {
                for (int i = 0; i < 6; i++) old(main, SAND, "DRAFT", (140 + 37 * i) + ".5" + i, "EUR", "2026-0" + (i + 1) + "-15", 40 - i);
                old(second, SAND, "SUBMITTED", "9.99", "EUR", "2026-01-31", 12);
                old(second, SAND, "SETTLED", "100.00", "CHF", "2025-12-31", 11);
                old(side, SAND, "APPROVED", "64.00", "EUR", "2026-02-28", 9);
                old(main, PROD, "SUBMITTED", "7200.00", "EUR", "2026-03-31", 7);
                old(main, PROD, "SETTLED", "18.20", "EUR", "2025-11-30", 70);
            }
        }

        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress("127.0.0.1", port), 1024);

        Map<String, Object> ops;
        String inv = "/api/v1/invoices/{id}";
        if (one) {
            ops = obj("read", op("GET", inv, null, null),
                    "submit", op("PUT", inv + "/submission", "seller", null),
                    "approve", op("PUT", inv + "/approval", "buyer", null),
                    "dispute", op("POST", inv + "/disputes", "buyer", obj("reason", "{text}")),
                    "cancel", op("PUT", inv + "/cancellation", "seller", null),
                    "settle", op("POST", "/api/v1/payments", "buyer", obj("invoiceId", "{id}")),
                    "delete", op("DELETE", inv, "seller", null),
                    "resolve", op("PATCH", inv + "/disputes/latest", "buyer", obj("notes", "{text}")),
                    "treasuryBalance", op("POST", "/api/v1/treasury/balance", "seller", obj("requestId", "{requestId}")),
                    "treasuryWithdraw", op("POST", "/api/v1/treasury/withdrawals", "seller",
                            obj("amount", "{amount}", "destination", "{text}", "requestId", "{requestId}")));
        } else {
            BiFunction<String, String, Map<String, Object>> cmd = (name, actor) -> op("POST", "/api/v1/commands", actor, obj("do", name, "invoice", "{id}"));
            ops = obj("read", op("GET", "/api/v1/ledger/{id}", null, null),
                    "submit", op("POST", "/api/v1/commands", "seller", obj("do", "submit", "invoice", "{id}", "requestId", "{requestId}")),
                    "approve", cmd.apply("approve", "buyer"),
                    "dispute", op("POST", "/api/v1/commands", "buyer", obj("do", "dispute", "invoice", "{id}", "note", "{text}")),
                    "cancel", cmd.apply("cancel", "buyer"),
                    "settle", cmd.apply("settle", "buyer"),
                    "delete", op("DELETE", "/api/v1/ledger/{id}", "seller", null),
                    "resolve", op("POST", "/api/v1/commands", "seller", obj("do", "resolve", "invoice", "{id}", "note", "{text}")),
                    "treasuryBalance", op("GET", "/api/v1/treasury/balance", "buyer", null),
                    "treasuryWithdraw", op("POST", "/api/v1/treasury/withdraw", "buyer", obj("sum", "{amount}", "note", "{text}")));
        }
        System.out.println(Json.write(obj("name", "java-" + (one ? "one" : "two"),
                "baseUrl", "http://127.0.0.1:" + server.getLocalPort() + prefix,
                "actors", obj("seller", shown(sellerKey, true), "buyer", shown(buyerKey, true), "outsider", shown(outsiderKey, true),
                        "readOnly", shown(readOnly, false), "revoked", shown(revoked, false), "production", shown(production, false)),
                "counterparties", obj("unconnected", unconnected.id(), "suspended", suspended.id()),
                "operations", ops, "limits", obj("settleWithinMs", 5000), "webhooks", obj("listen", "127.0.0.1:0"))));
        System.out.flush();

        watchParent();
        POOL.execute(() -> warmUp(sellerKey, server.getLocalPort()));
        while (true) {
            Socket s = server.accept();
            POOL.execute(() -> serve(s));
        }
    }

    /** Ends the process when standard input closes (a terminal-less start from /dev/null does not count as closed). */
    static void watchParent() {
        try {
            if (Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString().equals("/dev/null")) return;
        } catch (IOException | RuntimeException e) {
            // not Linux: watch anyway
        }
        daemon(() -> {
            try { while (System.in.read() >= 0) { } } catch (IOException e) { /* closed */ }
            Runtime.getRuntime().halt(0);
        }).start();
    }

    /** Lets the JVM load and compile the usual path (reads and refusals only, no effect) before the first requests come. */
    static void warmUp(ApiKey k, int port) {
        Map<String, List<String>> h = Map.of("x-api-key", List.of(k.key), "x-api-secret", List.of(k.secret), "content-type", List.of("application/json"));
        String nobody = UUID.randomUUID().toString(), base = prefix + "/api/v1/";
        byte[] body = Json.write(obj("sellerId", nobody, "buyerId", k.org, "amount", "10.00", "dueDate", "2026-01-31", "requestId", "warm")).getBytes(UTF_8);
        for (int i = 0; i < 150; i++) {
            handle(new Req("POST", base + "invoices", null, h, body));
            handle(new Req("GET", base + "invoices", "limit=5&sortBy=amount&sortOrder=desc", h, new byte[0]));
            handle(new Req("GET", base + "bookings", null, h, new byte[0]));
            newId("in");
        }
        deliver(new Sub("", "", "", "http://127.0.0.1:" + port + prefix + "/", Set.of(), "", now()), new byte[0], 3);   // answered 401 by ourselves
    }
}
