// Building blocks of a generic BMC's tree: paths, links, collections.

export const root = "/redfish/v1";

export const system = `${root}/Systems/node`;

export const ok = { State: "Enabled", Health: "OK" };

export const link = (path: string) => ({ "@odata.id": path });

export const capturedSerial = "GS00000000";

export const capturedUuid = "00000000-0000-4000-8000-00000000c0de";

export type Entries = readonly (readonly [string, object])[];

export const collection = (path: string, type: string, members: readonly string[]) =>
  [
    path,
    {
      "@odata.type": `#${type}.${type}`,
      Name: type,
      Members: members.map(link),
      "Members@odata.count": members.length,
    },
  ] as const;
