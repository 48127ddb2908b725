// Secure boot of a generic BMC: its databases, and the vendor's defaults beside them.
import { createHash } from "node:crypto";
import { collection, link, system, type Entries } from "@/server/simulator/bmc/generic/parts";

const place = `${system}/SecureBoot`;

/** What the vendor ships, by database. */
const shipped = { db: "system", KEK: "exchange", PK: "platform" } as const;

const databases = Object.entries(shipped).flatMap(([name, certificate]) =>
  [name, `${name}Default`].map((id) => ({ id, path: `${place}/SecureBootDatabases/${id}`, certificate })),
);

/** Of a certificate that nobody has: pairs of hexadecimal digits, as the schema of a certificate wants them. */
const fingerprintOf = (name: string): string =>
  (createHash("sha256").update(name).digest("hex").match(/../g) ?? []).join(":");

export function secureBoot(): Entries {
  return [
    [
      place,
      {
        "@odata.type": "#SecureBoot.v1_1_0.SecureBoot",
        Id: "secureboot",
        Name: "Secure Boot",
        SecureBootEnable: false,
        SecureBootMode: "UserMode",
        SecureBootDatabases: link(`${place}/SecureBootDatabases`),
        Actions: {
          "#SecureBoot.ResetKeys": {
            target: `${place}/Actions/SecureBoot.ResetKeys`,
            "ResetKeysType@Redfish.AllowableValues": ["ResetAllKeysToDefault", "DeleteAllKeys", "DeletePK"],
          },
        },
      },
    ],
    collection(
      `${place}/SecureBootDatabases`,
      "SecureBootDatabaseCollection",
      databases.map(({ path }) => path),
    ),
    ...databases.flatMap(({ id, path, certificate }): Entries => [
      [
        path,
        {
          "@odata.type": "#SecureBootDatabase.v1_0_1.SecureBootDatabase",
          Id: id,
          Name: `Secure boot database ${id}`,
          DatabaseId: id,
          Certificates: link(`${path}/Certificates`),
        },
      ],
      collection(`${path}/Certificates`, "CertificateCollection", [`${path}/Certificates/1`]),
      [
        `${path}/Certificates/1`,
        {
          "@odata.type": "#Certificate.v1_7_0.Certificate",
          Id: "1",
          Name: `Certificate of the vendor's ${certificate} key`,
          Fingerprint: fingerprintOf(`vendor-${certificate}`),
        },
      ],
    ]),
  ];
}
