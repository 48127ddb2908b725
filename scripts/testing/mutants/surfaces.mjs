// Safety checks of who asks at the console's procedures: for `scripts/mutation.mjs`.
import { of } from "./mutant.mjs";

export const surfaces = [
  ...of("integration", "server/surfaces/web/asker.ts", "server/surfaces/web/bearer.itest.ts", [
    ["asker: a bearer token is not looked past", "if (!isBearer(headers)) return sessionActor(backend, headers);", "if (bearerToken(headers.get(\"authorization\") ?? undefined) === null) return sessionActor(backend, headers);"],
    ["asker: a wrong token is nobody's, whatever the cookie says", "authenticateToken(backend.database, token);", "authenticateToken(backend.database, token).then((actor) => actor ?? sessionActor(backend, headers));"],
    ["asker: only a bearer token frees from the check of the origin", "isBearer(headers) || isSameOrigin(headers, baseUrl);", "headers.has(\"authorization\") || isSameOrigin(headers, baseUrl);"],
  ]),
];
