// What tells one machine, place or person from another by its form, wherever it stands.
import { isIPv4, isIPv6 } from "node:net";
import type { ReplacedKind } from "@/server/domain/hardware/recording";

const hex = "[0-9a-f]";
const anywhere: readonly (readonly [ReplacedKind, RegExp])[] = [
  ["uuid", new RegExp(`(?<!${hex})${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}(?!${hex})`, "gi")],
  [
    "mac",
    new RegExp(`(?<![0-9a-f:-])${hex}{2}(?:([:-])${hex}{2})(?:\\1${hex}{2}){4}(?![0-9a-f]|\\1${hex})`, "gi"),
  ],
  // World wide names, DHCP's unique identifiers and fingerprints: pairs like those of a MAC address, and more of them.
  [
    "identifier",
    new RegExp(`(?<![0-9a-f:-])${hex}{2}(?:([:-])${hex}{2})(?:\\1${hex}{2}){5,}(?![0-9a-f])`, "gi"),
  ],
  // A UEFI device path writes it without separators, and may fill it up with zeros (UEFI 2.10, 10.3.4.11).
  ["mac", new RegExp(`(?<=MAC\\()${hex}{12}`, "gi")],
  ["identifier", /\b(?:naa|eui|iqn|nqn)\.[\w.:-]*\w/gi],
  [
    "user",
    /(?<![\w.+-])[\w.+-]+@(?!openssh\.com|libssh\.org|odata\.|redfish\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi,
  ],
  ["ip", /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g],
  ["ip", /(?<![\w:.])[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*[0-9a-f:](?![\w:])/gi],
];

/** Ends of names in DNS. */
const endings =
  "com|net|org|edu|gov|mil|int|info|biz|dev|app|cloud|tech|systems|network|local|localdomain|lan|corp|internal|intern|intra|intranet|private|home|site|example|test";

/**
 * The same, of two letters. Not each country's: `en` is a language. In small letters only: `CPU1.VR.IN` is a sensor, and `supply.No action` the end of a
 * sentence.
 */
const shortEndings =
  "io|ai|co|me|eu|de|uk|us|fr|nl|be|ch|at|it|es|pt|pl|cz|se|no|dk|fi|jp|cn|kr|tw|hk|sg|in|au|nz|ca|br|mx|ru|ua|il|za|tr|ie|gr|hu|ro";

/**
 * Names that contain a dot at least, and end as names in DNS do. The ids of a BMC, such as `iDRAC.Embedded.1`, do not. A part of a path is none, but the host
 * of a share is: `//files.example.net/iso`.
 */
const dnsNameOf = (ends: string, ignoreCase: boolean): RegExp =>
  new RegExp(
    String.raw`(?<![\w.@#-])(?<!(?<!/)/)(?:[A-Za-z0-9_](?:[\w-]*\w)?\.)+(?:${ends})(?![\w-]|\.\w)`,
    ignoreCase ? "gi" : "g",
  );
const dnsNames = [dnsNameOf(endings, true), dnsNameOf(shortEndings, false)] as const;

/** Names in DNS that stand in a text, without those of the standard. */
export const dnsNamesIn = (text: string): readonly string[] =>
  dnsNames.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([found]) => (publicHosts.test(found) ? [] : [found])),
  );

/** It is a distinguished name, or has one: `CN=Ops,OU=DC2,DC=corp` (RFC 4514). */
export const hasDistinguishedName = (text: string): boolean =>
  /(^|[\s,;"'(+])(cn|ou|dc|uid|o|l|st|c|sn|street|emailaddress)=[^,;=]+[,;+]\s*(cn|ou|dc|uid|o|l|st|c|sn|street|emailaddress)=/i.test(
    text,
  ) || /^(cn|ou|dc|uid)=\S/i.test(text.trim());

/** Addresses that no machine has to itself: unspecified, loopback, link-local IPv4, multicast, and netmasks. */
const isOwnAddress = (text: string): boolean =>
  isIPv4(text)
    ? !/^(0|127|22[4-9]|23\d|24\d|25[0-5])\.|^169\.254\./.test(text)
    : isIPv6(text) && !/^[0:]*1?$/.test(text) && !/^(ff|FF)/.test(text);

const isFound = (kind: ReplacedKind, text: string): boolean =>
  kind === "ip" ? isOwnAddress(text) : kind !== "mac" || !/^[0f:-]+$/i.test(text);

/** What stands in a text, each with its kind. IPv4 addresses are left to the caller where a version may stand. */
export function foundIn(text: string, mayBeVersion: boolean): readonly (readonly [ReplacedKind, string])[] {
  return anywhere.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].flatMap(([found]) =>
      isFound(kind, found) && !(mayBeVersion && isIPv4(found)) ? [[kind, found] as const] : [],
    ),
  );
}

/** A name in DNS, or the first part of one. */
export const isHostName = (text: string): boolean =>
  /^(?=.{2,253}$)[a-z0-9_]([\w-]*\w)?(\.[a-z0-9_]([\w-]*\w)?)*\.?$/i.test(text) && !isIPv4(text);

const url = /\b([a-z][a-z0-9+.-]*):\/\/([^\s"'<>()]*)/gi;

/** Public places that every BMC names. */
const publicHosts = /(^|\.)(dmtf|snia|w3|openapis)\.org$/i;

/** Replaces the hosts of the URLs in a text, and takes out what else they tell: user, path and query. */
export const withoutPlaces = (text: string, standIn: (host: string) => string): string =>
  text.replaceAll(url, (whole, scheme: string, rest: string) => {
    const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
    const host = authority
      .replace(/^.*@/, "")
      .replace(/:\d*$/, "")
      .replace(/^\[|\]$/g, "");
    if (host === "" || publicHosts.test(host)) return whole;
    const port = /:\d+$/.exec(authority)?.[0] ?? "";
    const named = standIn(host);
    const place = isIPv6(named) ? `[${named}]` : named;
    return `${scheme}://${place}${port}${rest.length > authority.length + 1 ? "/removed" : rest.slice(authority.length)}`;
  });
/** The hosts of the URLs in a text. */
export function hostsIn(text: string): readonly string[] {
  const hosts: string[] = [];
  withoutPlaces(text, (host) => {
    hosts.push(host);
    return host;
  });
  return hosts;
}
