// What in a BMC's answers tells one machine, place or person from another, by the name of its property.
// Names come from DMTF's schemas and from the OEM properties of the captured trees; what a name does not tell is found by its form (forms.ts).

import type { ScrubbedKind } from "@/server/domain/hardware/recording";

/** Groups of a BMC's attributes (iDRAC's) that name directories, servers and people. Of these only switches stay, whatever their names are. */
const namingGroups =
  /^(ldap|ldaprolegroup|activedirectory|adgroup|userdomain|standardschemaprivileges|kerberos|radius|tacacs\w*|syslog|remotehosts|remoteconsole|emailalert|smtp\w*|snmp(alert|trap)\w*|ntpconfiggroup|\w*proxy\w*|rfs|sekm\w*|kmip\w*|vnc\w*)\./;

/** Members of such a group that name a host or a domain: their values are replaced wherever they stand. */
const namesHost =
  /(server|host|address|domain|controller|catalog)s?(name)?\d*$|ntp\d+$|^userdomain\.\d+\.name$/;

/** First match counts; the name is without case. */
const byName: readonly (readonly [ScrubbedKind, RegExp])[] = [
  [
    "secret",
    /(authentication|authorization|auth|privacy|encryption|pre_?shared|shared|symmetric|session|host|user|api|access|wrapping|master|integrity|cipher|wep)_?key$|psk$|tsig|httpheaders?$|^authorization$|cookie/,
  ],
  [
    "text",
    /distinguishednames?$|basedn$|searchbase$|searchfilter$|(user|group|groups|email|member)_?(name)?_?attributes?$/,
  ],
  ["user", /remote_?(user|group)s?$|group_?dn$/],
  ["key", /certificatestring$|csrstring$|ssh.*keys?$|publickeys?$|keystring$|signaturestring$/],
  [
    "secret",
    /pass(word|phrase|wd|code)|secret|privatekey|community|token|salt$|v3key|encryptionkey|licen[cs]e(string|key|data|text)|credential|entitlementid$|otp$/,
  ],
  ["text", /^(message|messageargs|resolution)$|banner|policymessage|motd$/],
  [
    "text",
    /syslocation|contactname|contactinfo|^contact$|ownername|assetowner|datacenter|aislename|roomname|^room$|rackname|^rack$|^row$|building$/,
  ],
  ["key", /^(.*\.)?(subject|issuer|csr)(common|country|locality|organi[sz]ation|state|city|email|alt)/],
  ["user", /user_?name$|login_?(id|name)$|account_?name$|binddn$|email(address)?$|mailaddress$|createdby$/],
  ["identifier", /durablename$|wwns?$|wwpns?$|wwnns?$|worldwide|guid$|sasaddress$|nguid$|eui64$|uniqueid$/],
  [
    "identifier",
    /^identifier$|iqn$|initiatorname$|fingerprint$|thumbprint$|confighash$|ppin$|ppid$|protectedidentificationnumber$/,
  ],
  ["serial", /serial(_?(no|num|number))?$|servicetag$|assettag$|nodeid$|expressservicecode$|assetnumber$/],
  ["uuid", /uuids?$/],
  ["mac", /mac_?addr(ess)?(es)?\d*$/],
  [
    "host",
    /host_?name$|fqdn$|racname$|domain_?names?$|nameservers?$|ntp(servers?|\d+)$|smtpserver|serveraddress$|serviceaddresses$|remoteservers?$|destination$|syslogserver|dhcpserver|(ldap|ntp|dns|time|proxy|smtp|mail|radius|tacacs|kerberos|kms|kmip|syslog|snmp|trap|remote)_?(server|host)s?(address(es)?|name)?\d*$|domaincontrollers?\d*$|globalcatalogs?\d*$|dnsdomain\w*$|(dns|ntp)\d+$/,
  ],
];

/** Null: its name does not tell. Annotations (`Name@Redfish.…`) describe a property and are never one. */
export function kindOf(property: string): ScrubbedKind | null {
  if (property.includes("@")) return null;
  return namingGroups.test(property.toLowerCase()) ? "text" : kindElsewhere(property);
}

/** What the value of a property is where it stands elsewhere: a group that is taken out names hosts and people, too. */
export function kindElsewhere(property: string): ScrubbedKind | null {
  if (property.includes("@")) return null;
  const name = property.toLowerCase();
  if (namingGroups.test(name) && namesHost.test(name)) return "host";
  return byName.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** Objects about directories of accounts (DMTF's AccountService): of their texts only those stay that are the standard's own words. */
export const isDirectory = (property: string, type: unknown): boolean =>
  /^(LDAP|ActiveDirectory|TACACSplus|OAuth2|RemoteRoleMapping)$/.test(property) || isProvider(type);

/** A directory that is a resource of its own: its id, which is also in its path, may be its owner's word. */
export const isProvider = (type: unknown): boolean =>
  typeof type === "string" && /^#ExternalAccountProvider\./.test(type);

/** Whether a text of such an object is the standard's: roles and ids may be its owner's. Links and targets of actions are none of its texts. */
export const isDirectoryWord = (property: string, text: string): boolean =>
  /^(AccountProviderType|AuthenticationType|PasswordExchangeProtocols|Mode|State|Health|HealthRollup)$/.test(
    property,
  ) ||
  (property === "LocalRole" && /^(Administrator|Operator|ReadOnly)$/.test(text)) ||
  (property === "Id" && isProviderId(text)) ||
  (property === "target" && text.startsWith("/redfish/"));

/** An id of a directory that tells nobody. */
export const isProviderId = (id: string): boolean =>
  /^(\d+|LDAP|ActiveDirectory|TACACSplus|OAuth2)$/i.test(id);

/** Objects of which every text is taken out. */
export const isPlace = (property: string): boolean =>
  /^(PostalAddress|Contacts|Placement|GPS|Subject|Issuer|HttpHeaders)$/.test(property);

/** Coordinates. */
export const isCoordinate = (property: string): boolean =>
  /^(Latitude|Longitude|AltitudeMeters)$/.test(property);

/** Answers of a setting, which tell nobody though the setting is about a secret or a user. */
const plain =
  /^(enabled?|disabled?|true|false|yes|no|none|(not)? ?set|(un)?locked|not installed|installed)$/i;

/** Whether a property whose name tells a kind holds something of it: not nothing, a switch, or a date. */
export const isTelling = (value: string): boolean =>
  value !== "" && !plain.test(value) && !/^\d{4}-\d\d-\d\dT[\d:.+Z-]+$/.test(value);

/** Versions look like IPv4 addresses. */
export const isVersionName = (property: string): boolean =>
  /version|firmware|revision|release|package|build|@odata|^id$|softwareid$/i.test(property);

/** Resources that are about people, or of no use for what a BMC can do: never read. By path, without case. */
const unread: readonly (readonly [string, RegExp])[] = [
  ["sessions", /\/sessions(\/|$)/],
  ["log entries", /\/logservices\/[^/]+\/entries(\/|$)|\/logs\/(sel|lclog)(\/|$)/],
  ["schemas", /\/jsonschemas(\/|$)|\/schemastore(\/|$)|\$metadata|\/odata$/],
  ["metric reports", /\/metricreports(\/|$)/],
];

/** The same, by type. */
const dropped: readonly (readonly [string, RegExp])[] = [
  ["sessions", /^#Session(Collection)?\./],
  ["log entries", /^#LogEntry(Collection)?\./],
  ["events", /^#Event\./],
];

const whyLeftOut = (rows: readonly (readonly [string, RegExp])[], text: string): string | null =>
  rows.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** What a resource is that is not read; null: it is. */
export const unreadAs = (path: string): string | null => whyLeftOut(unread, path.toLowerCase());
/** What a resource is that is not kept; null: it is. */
export const droppedAs = (type: unknown): string | null =>
  typeof type === "string" ? whyLeftOut(dropped, type) : null;
