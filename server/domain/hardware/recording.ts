// What is replaced in the recording of a BMC, or taken out of it (docs/hardware.md#reclaim-bmc-record).

/** What is replaced by a stand-in: the same value always by the same one. */
export const replacedKinds = ["serial", "uuid", "mac", "ip", "host", "user", "identifier"] as const;
export type ReplacedKind = (typeof replacedKinds)[number];

/** What is taken out. */
export const removedKinds = ["secret", "key", "text"] as const;
export type RemovedKind = (typeof removedKinds)[number];
export type ScrubbedKind = ReplacedKind | RemovedKind;

export const kindLabels: Readonly<Record<ScrubbedKind, { readonly one: string; readonly other: string }>> = {
  serial: { one: "serial number or tag", other: "serial numbers and tags" },
  uuid: { one: "UUID", other: "UUIDs" },
  mac: { one: "MAC address", other: "MAC addresses" },
  ip: { one: "IP address", other: "IP addresses" },
  host: { one: "host name", other: "host names" },
  user: { one: "user name or e-mail address", other: "user names and e-mail addresses" },
  identifier: { one: "world wide name or hash", other: "world wide names and hashes" },
  secret: { one: "password, token or key", other: "passwords, tokens and keys" },
  key: { one: "certificate or public key", other: "certificates and public keys" },
  text: { one: "message, place or name in a directory", other: "messages, places and names in directories" },
};
