// Safety checks of who asks at the console's procedures: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const surfaces = [
  ...of("integration", "server/surfaces/web/asker.ts", "server/surfaces/web/bearer.itest.ts", [
    ["asker: a bearer token is not looked past", "if (!isBearer(headers)) return sessionActor(backend, headers);", "if (bearerToken(headers.get(\"authorization\") ?? undefined) === null) return sessionActor(backend, headers);"],
    ["asker: a wrong token is nobody's, whatever the cookie says", "authenticateToken(backend.database, token);", "authenticateToken(backend.database, token).then((actor) => actor ?? sessionActor(backend, headers));"],
    ["asker: only a bearer token frees from the check of the origin", "isBearer(headers) || isSameOrigin(headers, baseUrl);", "headers.has(\"authorization\") || isSameOrigin(headers, baseUrl);"],
  ]),
  ...of("unit", "server/surfaces/http/client-address.ts", "server/surfaces/http/client-address.test.ts", [
    ["client address: only configured proxies are believed", "while (isProvisioningAddress(address, proxies)) {", "while (named.length > 0) {"],
    ["client address: read from its end", "const before = named.pop();", "const before = named.shift();"],
  ]),
  ...of("unit", "server/surfaces/http/front.ts", "server/surfaces/http/front.test.ts", [
    ["front: a declared length over the limit", 'if (expected > limit) return refuse(response, "tooLarge");', "if (expected > limit) response.setTimeout(0);"],
    ["front: the time that a body has", "const withinMs = isSignIn ? times.signInBodyMs : times.bodyMs;", "const withinMs = isSignIn ? 60_000 : 60_000;"],
    ["front: a turn is given up by who leaves", 'response.once("close", () => leaving.abort());', ""],
    ["front: no place for an answer that waits behind another", 'if (response.socket === null) return "busy";', ""],
    ["front: nobody names their own address", "request.headers[clientAddressHeader] = address;", "request.headers[clientAddressHeader] ??= address;"],
  ]),
  ...of("unit", "server/surfaces/http/counted-body.ts", "server/surfaces/http/front.test.ts", [
    ["body: a counted length over the limit", "bytes + piece.length > limits.bytes", "bytes > limits.bytes * 1000"],
    ["body: the share of one address", "own + bytes > this.#shares.mostOfOne", "own > this.#shares.most"],
    ["body: room is given back", "received.giveBack(caller, bytes);", ""],
  ]),
  ...of("integration", "server/usecases/access/sign-in.ts", "server/usecases/access/access.itest.ts", [
    ["sign-in: counted before the password is looked at", "(counts.get(subject) ?? 0) > most", "(counts.get(subject) ?? 0) > most * 1000"],
  ], "a sign-in"),
];
