// What is taken out of answers, by name and by form, and what stays.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Scrubber } from "@/server/hardware/redfish/record/scrub";
import { kindOf } from "@/server/hardware/redfish/record/kinds";

const key = Buffer.alloc(32, 7);
const before = { host: "bmc-7.dc2.corp.example", username: "jsmith", password: "hunter-22" };
const scrubberOf = (...bodies: readonly unknown[]) =>
  new Scrubber(key, new Map(bodies.map((body, place) => [`/redfish/v1/${place}`, body])), before);
const scrubbed = <Body>(body: Body): Body => scrubberOf(body).body(body) as Body;

describe("what is taken out", () => {
  it.each([
    ["a password", { Password: "s3cret" }],
    ["a community", { "SNMP.1.AgentCommunity": "datacenter-7" }],
    ["a hash of a password", { SHA256SetupPassword: "19D28380D586B21FD54F75A0687D5692" }],
    ["a secret in an object of its own", { Credential: { Value: "datacenter-7" } }],
    ["a named attribute", { AttributeName: "SetupPassword", CurrentValue: "s3cret-7" }],
    ["a certificate", { Whatever: "-----BEGIN CERTIFICATE-----\nMIIB" }],
    ["an SSH key", { Keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ"] }],
    ["the message of a log", { Message: "jdoe signed in", MessageArgs: ["jdoe"] }],
    [
      "a key that has no other name",
      { AuthenticationKey: "s3cret", EncryptionKey: "s3cret", PreSharedKey: "s3cret" },
    ],
    ["a key of DNS", { "NIC.1.TSIGKey": "s3cret" }],
    [
      "headers of a subscription",
      { HttpHeaders: [{ Authorization: "Bearer s3cret" }, { "X-A": "datacenter-7" }] },
    ],
    ["headers as texts", { HttpHeaders: ["Authorization: Bearer s3cret"] }],
    ["a name in a directory by its form", { Anything: "CN=jdoe,OU=datacenter-7,DC=corp" }],
    [
      "iDRAC's directory",
      { "LDAP.1.BaseDN": "jdoe", "LDAP.1.Server": "datacenter-7", "ADGroup.1.Name": "jdoe" },
    ],
    [
      "iDRAC's domain",
      { "ActiveDirectory.1.DomainController1": "datacenter-7", "UserDomain.1.Name": "jdoe" },
    ],
    [
      "a server without a dot",
      { "SysLog.1.Server1": "datacenter-7", "NTPConfigGroup.1.NTP1": "datacenter-7" },
    ],
    ["an attribute about a server", { AttributeName: "SysLog.1.Server2", CurrentValue: "datacenter-7" }],
    ["a server that is no name in DNS", { NTPServers: ["our datacenter-7!"], RemoteUser: "jdoe; of Main" }],
    ["a place", { Location: { PostalAddress: { Street: "12 Main", Room: "B7" } } }],
  ])("%s", (_what, body) => {
    const text = JSON.stringify(scrubbed(body));
    expect(text).toContain("(removed)");
    expect(text).not.toMatch(/s3cret|datacenter-7|19D28380|MIIB|AAAAC3|jdoe|Main|B7/);
  });

  it("is not a switch, a date, a number, or the kinds that an action takes", () => {
    const body = {
      PasswordStatus: "Unlocked",
      PasswordExpiration: "2030-01-01T00:00:00Z",
      MinPasswordLength: 8,
      "PasswordName@Redfish.AllowableValues": ["AdminPassword"],
      Actions: {
        "#Bios.ChangePassword": { target: "/redfish/v1/Systems/1/Bios/Actions/Bios.ChangePassword" },
      },
      SetupPassword: "",
    };
    expect(scrubbed(body)).toEqual(body);
  });

  it("is all that a directory names but the standard's words, switches and links", () => {
    const directory = {
      AccountProviderType: "LDAPService",
      ServiceEnabled: true,
      Authentication: { AuthenticationType: "UsernameAndPassword", Username: "jdoe" },
      Certificates: { "@odata.id": "/redfish/v1/AccountService/LDAP/Certificates" },
    };
    const LDAP = {
      ...directory,
      ServiceAddresses: ["ldaps"],
      LDAPService: {
        SearchSettings: {
          BaseDistinguishedNames: ["dc=corp"],
          UsernameAttribute: "acct",
          GroupsAttribute: "memberOf",
          NewerThanUs: "jdoe",
        },
      },
      RemoteRoleMapping: [{ LocalRole: "Administrator", RemoteGroup: "ops team", RemoteUser: "jdoe" }],
    };
    const made = scrubbed({ LDAP }).LDAP;
    expect(made).toMatchObject({
      ...directory,
      Authentication: { AuthenticationType: "UsernameAndPassword" },
    });
    expect(made.RemoteRoleMapping[0]?.LocalRole).toBe("Administrator");
    expect(JSON.stringify(made)).not.toMatch(/jdoe|ops team|dc=corp|acct|memberOf|"ldaps"/);
  });

  it("is what a directory is called, and a role that is not the standard's, but not where its actions are", () => {
    const place = "/redfish/v1/AccountService/ExternalAccountProviders/globex";
    const provider = {
      "@odata.type": "#ExternalAccountProvider.v1_5_0.ExternalAccountProvider",
      "@odata.id": place,
      Id: "globex",
      Name: "Globex Directory",
      Description: "for Globex",
      AccountProviderType: "LDAPService",
      RemoteRoleMapping: [{ LocalRole: "globex-ops", RemoteGroup: "ops team" }, { LocalRole: "Operator" }],
      Actions: { Oem: { "#V.Test": { target: "/redfish/v1/AccountService/Actions/V.Test" } } },
    };
    const scrubber = new Scrubber(key, new Map<string, unknown>([[place, provider]]), before);
    const made = scrubber.body(provider) as typeof provider;
    expect(JSON.stringify(made)).not.toMatch(/globex/i);
    expect(made).toMatchObject({ AccountProviderType: "LDAPService", Actions: provider.Actions });
    expect(made.RemoteRoleMapping[1]?.LocalRole).toBe("Operator");
    expect(made["@odata.id"].split("/").at(-1)).toBe(made.Id);
    expect(scrubber.text(place)).toBe(made["@odata.id"]);
  });

  it("is no switch of such a group, no id and no version", () => {
    const body = {
      "LDAP.1.Enable": "Disabled",
      "NTPConfigGroup.1.NTPEnable": "Enabled",
      Id: "iDRAC.Embedded.1",
      MessageId: "Base.1.8.Success",
      Software: "BIOS-1.2.3.exe",
      Language: "BiosAttributeRegistry.v1_0_3.en",
      GroupName: "",
    };
    expect(scrubbed(body)).toEqual(body);
  });

  it("is the password that we sign in with, wherever the BMC quotes it", () => {
    expect(scrubberOf({}).text("no such password: hunter-22")).toBe("no such password: (removed)");
  });
});

describe("what is replaced", () => {
  it("has the same stand-in wherever it stands, in links too, and keeps its form", () => {
    const body = {
      SerialNumber: "CN7AB120",
      Chassis: { "@odata.id": "/redfish/v1/Chassis/CN7AB120" },
      UniqueID: "CN7AB120",
      Note: "board of CN7AB120-1",
      MACAddress: "B8:3F:D2:90:97:C4",
      PermanentMACAddress: "b8-3f-d2-90-97-c4",
      BootPath: "PciRoot(0x0)/MAC(B83FD29097C4,0x1)",
      Nic_B83FD29097C4: "x",
    };
    const made = scrubbed(body);
    expect(made.SerialNumber).toMatch(/^[A-Z]{2}\d[A-Z]{2}\d{3}$/);
    expect(made.UniqueID).toBe(made.SerialNumber);
    expect(made.Chassis["@odata.id"]).toBe(`/redfish/v1/Chassis/${made.SerialNumber}`);
    expect(made.Note).toBe(`board of ${made.SerialNumber}-1`);
    expect(made.MACAddress).toMatch(/^B8:3F:D2(:[0-9A-F]{2}){3}$/);
    expect(made.PermanentMACAddress).toBe(made.MACAddress.replaceAll(":", "-").toLowerCase());
    const bare = made.MACAddress.replaceAll(":", "");
    expect(made.BootPath).toBe(`PciRoot(0x0)/MAC(${bare},0x1)`);
    expect(made).toHaveProperty(`Nic_${bare}`, "x");
  });

  it.each([
    [
      "an event's destination",
      "https://user:pw@events.corp.example:8443/hook?token=abc",
      /^https:\/\/host-\d+\.example:8443\/removed$/,
    ],
    [
      "an address of a boot server",
      "http://10.1.2.3/boot/host-7.efi",
      /^http:\/\/198\.1[89]\.\d+\.\d+\/removed$/,
    ],
  ])("the host of %s, and the rest of it goes", (_what, url, like) =>
    expect(scrubbed({ Anything: url }).Anything).toMatch(like),
  );

  it("is a name in DNS, under whatever property", () => {
    const made = scrubbed({ Anything: "ntp1.dc2.corp.net", Text: "see wiki.dc2.corp.net, or dmtf.org" });
    expect(made.Anything).toMatch(/^host-\d+\.example$/);
    expect(made.Text).toMatch(/^see host-\d+\.example, or dmtf\.org$/);
  });

  it.each(["//cifs.corp.net/iso/x.iso", "host_a.corp.net", "files.globex.co", "files.globex.me"])(
    "is a name in DNS in %s",
    (text) => expect(scrubbed({ Anything: text }).Anything).toMatch(/^(\/\/)?host-\d+\.example(\/|$)/),
  );

  it.each(["NTPConfigGroup.1.NTP1", "SysLog.1.Server1", "LDAP.1.Server", "UserDomain.1.Name"])(
    "is everywhere what %s names, which itself is taken out",
    (property) => {
      const made = scrubbed({ [property]: "timehost", Text: "asks timehost for the time" });
      expect(made[property]).toBe("(removed)");
      expect(made.Text).toMatch(/^asks host-\d+ for the time$/);
    },
  );

  it.each([
    ["a sentence without a space", { Text: "Check the supply.No action", Other: "supply" }],
    ["a sensor in capitals", { Id: "CPU1.VR.IN", Name: "CPU1 VR.IN" }],
  ])("is not %s", (_what, body) => expect(scrubbed(body)).toEqual(body));

  it("is no part of a name of two parts that only its form tells", () => {
    const made = scrubbed({ Text: "see power.no", Other: "power" });
    expect(made.Text).toMatch(/^see host-\d+\.example$/);
    expect(made.Other).toBe("power");
  });

  it("is an IP address, and not a version, a netmask, or what no machine has to itself", () => {
    const body = {
      IPv4: [{ Address: "10.1.2.3", SubnetMask: "255.255.255.0", Gateway: "0.0.0.0" }],
      IPv6: "fe80::97cc:7ce4:f705:b352",
      FirmwareVersion: "4.22.1.7",
      Uri: "http://redfish.dmtf.org/schemas/v1/x.json",
    };
    const made = scrubbed(body);
    expect(made.IPv4[0]).toEqual({
      Address: expect.stringMatching(/^198\.1[89]\./),
      SubnetMask: "255.255.255.0",
      Gateway: "0.0.0.0",
    });
    expect(made.IPv6).toMatch(/^fe80::/);
    expect(made.IPv6).not.toContain("97cc");
    expect(made.FirmwareVersion).toBe(body.FirmwareVersion);
    expect(made.Uri).toBe(body.Uri);
  });

  it("is a DHCP identifier, which ends with a MAC address, and no word that settings have", () => {
    const made = scrubbed({
      MACAddress: "b0:7b:25:d6:51:82",
      Duid: "00:01:00:01:28:59:b9:b2:b0:7b:25:d6:51:82",
      UserName: "Enabled",
      State: "Enabled",
      Kex: "curve25519-sha256@libssh.org",
    });
    expect(made.Duid).toMatch(/^[0-9a-f]{2}(:[0-9a-f]{2}){13}$/);
    expect(made.Duid).not.toContain("d6:51:82");
    expect(made).toMatchObject({
      UserName: "Enabled",
      State: "Enabled",
      Kex: "curve25519-sha256@libssh.org",
    });
  });

  it("is a user, but no role and no maker of the same name", () => {
    const account = {
      "@odata.type": "#ManagerAccount.v1_0_0.ManagerAccount",
      "@odata.id": "/redfish/v1/AccountService/Accounts/bob",
      Id: "bob",
      UserName: "bob",
      RoleId: "Administrator",
    };
    const maker = { UserName: "Administrator", Manufacturer: "NVIDIA", Other: "NVIDIA" };
    const scrubber = scrubberOf(account, maker, { UserName: "NVIDIA" });
    const made = scrubber.body(account) as typeof account;
    expect(made.UserName).toMatch(/^user-\d+$/);
    expect(made).toMatchObject({ Id: made.UserName, RoleId: "Administrator" });
    expect(made["@odata.id"]).toBe(`/redfish/v1/AccountService/Accounts/${made.UserName}`);
    expect(scrubber.body(maker)).toMatchObject({ Manufacturer: "NVIDIA", Other: "NVIDIA" });
  });

  it("is no placeholder: what many boards have tells nothing", () => {
    const body = { SerialNumber: "To be filled by O.E.M.", AssetTag: "", Other: { SerialNumber: "0000000" } };
    expect(scrubbed(body)).toEqual(body);
  });

  it("is the host and the user that we sign in with", () => {
    const text = scrubberOf({}).text("jsmith signed in at bmc-7.dc2.corp.example (bmc-7)");
    expect(text).toMatch(/^user-\d+ signed in at host-\d+\.example \(host-\d+\)$/);
  });
});

const serial = fc.stringMatching(/^[A-Z]{2,4}[0-9]{3,6}[A-Z0-9]{0,5}$/);
const mac = fc
  .array(fc.integer({ min: 1, max: 254 }), { minLength: 6, maxLength: 6 })
  .map((bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":"));

it("leaves no serial number, UUID, MAC or IP address anywhere, wherever it stands (property)", () => {
  fc.assert(
    fc.property(serial, serial, fc.uuid(), mac, fc.ipV4(), fc.lorem(), (one, two, uuid, card, ip, words) => {
      fc.pre(!/^(0|127|2[2-5]\d)\.|^169\.254\./.test(ip) && !/^[0f-]+$/.test(uuid));
      const body = {
        Oem: { V: { SerialNo: one, Text: `${words} ${two}/${one} ${uuid.toUpperCase()} at ${ip}` } },
        [`X_${card.replaceAll(":", "")}`]: [{ "@odata.id": `/redfish/v1/Drives/${two.toLowerCase()}` }],
        Drive: { SerialNumber: two },
        Port: { Address: ip, AssociatedMACAddresses: [card.toUpperCase(), card.replaceAll(":", "-")] },
      };
      const text = JSON.stringify(scrubbed(body)).toLowerCase();
      const bare = text.replaceAll(/[:-]/g, "");
      for (const value of [one, two, uuid]) expect(text).not.toContain(value.toLowerCase());
      expect(bare).not.toContain(card.replaceAll(":", ""));
      expect(text).not.toMatch(
        new RegExp(String.raw`(?<![\d.])${ip.replaceAll(".", String.raw`\.`)}(?![\d.])`),
      );
    }),
    { numRuns: 300 },
  );
});

it("knows a property by its name, in any case, and no annotation", () => {
  expect(["SerialNumber", "ServerInfo.1.ServiceTag", "AssetTag"].map(kindOf)).toEqual([
    "serial",
    "serial",
    "serial",
  ]);
  expect(kindOf("SerialConsole")).toBeNull();
  expect(kindOf("Password@Redfish.AllowableValues")).toBeNull();
});
