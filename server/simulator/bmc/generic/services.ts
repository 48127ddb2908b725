// The other services of a generic BMC: accounts, subscriptions, a virtual drive, tasks.
import { bmcUsername } from "@/server/simulator/bmc/answer";
import { type Entries, root, link, collection } from "@/server/simulator/bmc/generic/parts";

export const services = (): Entries => [
  ...accountService(),
  ...listService("EventService", "v1_9_0", "Event Service", "Subscriptions", "EventDestinationCollection"),
  ...virtualMedia(),
  ...listService("TaskService", "v1_2_0", "Task Service", "Tasks", "TaskCollection"),
];

function accountService(): Entries {
  const accounts = `${root}/AccountService/Accounts`;
  return [
    [
      `${root}/AccountService`,
      {
        "@odata.type": "#AccountService.v1_13_0.AccountService",
        Id: "AccountService",
        Name: "Account Service",
        Accounts: link(accounts),
      },
    ],
    collection(accounts, "ManagerAccountCollection", [`${accounts}/1`]),
    [
      `${accounts}/1`,
      {
        "@odata.type": "#ManagerAccount.v1_10_0.ManagerAccount",
        Id: "1",
        Name: "User Account",
        UserName: bmcUsername,
        Enabled: true,
        RoleId: "Administrator",
        AccountTypes: ["Redfish"],
        Password: null,
        Keys: link(`${accounts}/1/Keys`),
      },
    ],
    collection(`${accounts}/1/Keys`, "KeyCollection", []),
  ];
}

/** A service with one empty list. */
const listService = (id: string, version: string, name: string, list: string, type: string): Entries => [
  [
    `${root}/${id}`,
    { "@odata.type": `#${id}.${version}.${id}`, Id: id, Name: name, [list]: link(`${root}/${id}/${list}`) },
  ],
  collection(`${root}/${id}/${list}`, type, []),
];

function virtualMedia(): Entries {
  const media = `${root}/Managers/bmc/VirtualMedia`;
  return [
    collection(media, "VirtualMediaCollection", [`${media}/cd`]),
    [
      `${media}/cd`,
      {
        "@odata.type": "#VirtualMedia.v1_6_1.VirtualMedia",
        Id: "cd",
        Name: "Virtual CD",
        MediaTypes: ["CD"],
        Image: null,
        Inserted: false,
        ConnectedVia: "NotConnected",
        Actions: { "#VirtualMedia.EjectMedia": { target: `${media}/cd/Actions/VirtualMedia.EjectMedia` } },
      },
    ],
  ];
}
