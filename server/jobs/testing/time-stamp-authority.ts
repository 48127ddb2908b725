// For tests: a time stamp authority (RFC 3161), which is openssl.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const settings = `[tsa]
default_tsa=t
[t]
serial=serial
signer_cert=cert.pem
signer_key=key.pem
signer_digest=sha256
default_policy=1.2.3.4
digests=sha256
[req]
distinguished_name=d
[d]
`;

export interface TimeStampAuthority {
  /** Its certificate, as a file. */
  readonly certificate: string;
  /** The answer to a request, both in DER. */
  reply(query: Uint8Array): Uint8Array;
  /** A time stamp over these bytes, in DER. */
  stamp(bytes: Uint8Array): Uint8Array;
  /** Whether openssl takes the stamp as one of these bytes by this authority. */
  verifies(stamp: Uint8Array, bytes: Uint8Array): boolean;
  remove(): void;
}

/** With a key of its own. */
export function createTimeStampAuthority(): TimeStampAuthority {
  const folder = mkdtempSync(join(tmpdir(), "tsa-"));
  const openssl = (line: string): string =>
    execFileSync("openssl", line.split(" "), { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const put = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(folder, name), content);
  put("tsa.cnf", settings);
  put("serial", "01\n");
  openssl(
    "req -x509 -config tsa.cnf -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -subj /CN=tsa -addext extendedKeyUsage=critical,timeStamping",
  );
  const reply = (query: Uint8Array): Uint8Array => {
    put("query", query);
    openssl("ts -reply -config tsa.cnf -queryfile query -out reply");
    return readFileSync(join(folder, "reply"));
  };
  return {
    certificate: join(folder, "cert.pem"),
    reply,
    stamp: (bytes) => {
      put("data", bytes);
      openssl("ts -query -sha256 -cert -data data -out asked");
      return reply(readFileSync(join(folder, "asked")));
    },
    verifies: (stamp, bytes) => {
      put("stamp", stamp);
      put("data", bytes);
      try {
        return openssl("ts -verify -in stamp -data data -CAfile cert.pem").includes("OK");
      } catch {
        return false;
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
