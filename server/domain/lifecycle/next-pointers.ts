// Where a state's "check next" points: actions, tabs, pages and documents as data, so that a test can follow them all.
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import { isState, type State, type StoredState } from "@/server/domain/lifecycle/states";
import { routes } from "@/server/domain/console/routes";

/** Console pages that a state may point to, by address. */
export const pointedPages = {
  queue: { href: routes.cleaning.queue(), words: "Queue and limits" },
  images: { href: routes.cleaning.images(), words: "Agent images" },
  skus: { href: routes.skus(), words: "SKUs" },
  instances: { href: routes.instances(), words: "Instances" },
  site: { href: routes.settings.site(), words: "Site settings" },
  assurance: { href: routes.assurance(), words: "Assurance" },
} as const;

/** Tabs of a host's page. */
export const pointedTabs = {
  reclamation: "Reclamation",
  gates: "Gates",
  inventory: "Inventory",
  parts: "Parts",
  platform: "Platform",
  attestation: "Attestation",
  health: "Health",
  assurance: "Assurance",
} as const;

/** Sections of the docs, by their page and heading. */
export const pointedDocs = {
  drives: { page: "cleaning", heading: "Drives that are not there or cannot be erased" },
  leftovers: { page: "decommission", heading: "Leftovers" },
  boot: { page: "operations", heading: "A host that does not boot the agent" },
} as const;

export type NextPointer =
  | { readonly kind: "act"; readonly act: HostActionName | CleaningActionName }
  | { readonly kind: "tab"; readonly tab: keyof typeof pointedTabs }
  | { readonly kind: "page"; readonly page: keyof typeof pointedPages }
  | { readonly kind: "doc"; readonly doc: keyof typeof pointedDocs };

const act = (name: HostActionName | CleaningActionName): NextPointer => ({ kind: "act", act: name });
const tab = (name: keyof typeof pointedTabs): NextPointer => ({ kind: "tab", tab: name });
const page = (name: keyof typeof pointedPages): NextPointer => ({ kind: "page", page: name });
const doc = (name: keyof typeof pointedDocs): NextPointer => ({ kind: "doc", doc: name });

const booting = [doc("boot"), tab("health")];
const cleaning = [tab("reclamation"), act("hold"), act("abort")];
const onHold = [act("resume"), act("abort")];
const sku = [tab("parts"), page("skus"), act("assignSku"), act("inspect"), act("restart")];
const drive = [
  tab("reclamation"),
  tab("inventory"),
  act("retry"),
  act("inspect"),
  act("disposeDrive"),
  act("restart"),
  doc("drives"),
];
const stopped = [tab("reclamation"), act("retry"), act("restart"), act("manage")];
const misconfigured = [page("site"), act("retry"), act("restart"), act("manage")];
const unbooted = [act("retry"), act("restart"), act("manage"), doc("boot")];

export const nextTable = {
  Enroll: [act("setBmc"), act("confirmCertificate"), act("manage")],
  Verifying: [],
  Manageable: [act("provide"), act("clean"), act("inspect")],
  "ManualCleaning/Queued": [page("queue"), act("abort")],
  "ManualCleaning/BootingAgent": [...booting, act("abort")],
  "ManualCleaning/RunningStep": cleaning,
  "ManualCleaning/OnHold": onHold,
  Ready: [tab("gates")],
  "Assigned/WaitingForNetworkConfig": [act("askNetwork"), page("instances")],
  "Assigned/WaitingForRebootToReady": [page("instances")],
  "Assigned/Ready": [],
  "Assigned/BootingWithDiscoveryImage": booting,
  "Assigned/SwitchToAdminNetwork": [tab("health")],
  "Assigned/WaitingForNetworkReconfig": [act("askNetwork"), tab("health")],
  "WaitingForCleanup/Queued": [page("queue"), act("abort")],
  "WaitingForCleanup/Init": [tab("inventory"), act("askNetwork"), act("abort")],
  "WaitingForCleanup/OnHold": onHold,
  "WaitingForCleanup/BootingAgent": [...booting, act("abort")],
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": cleaning,
  "WaitingForCleanup/HostCleanup": cleaning,
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": cleaning,
  "WaitingForCleanup/PlatformCleanup": cleaning,
  "BomValidating/BootingAgent": booting,
  "BomValidating/UpdatingInventory": [tab("reclamation")],
  "BomValidating/MatchingSku": [],
  "BomValidating/VerifyingSku": [],
  "BomValidating/WaitingForSkuAssignment": sku,
  "BomValidating/SkuMissing": sku,
  "BomValidating/SkuVerificationFailed": sku,
  "Validation/RebootHost": booting,
  "Validation/MachineValidating": [tab("reclamation")],
  "HostInit/Discovered": [],
  "ReturnToAllocation/EvaluatingGates": [],
  "ReturnToAllocation/AwaitingRepair": [tab("health")],
  "ReturnToAllocation/AwaitingProcedure": [tab("assurance"), act("restart"), act("manage")],
  "ReturnToAllocation/AwaitingSignOff": [tab("assurance"), page("assurance"), act("restart"), act("manage")],
  "ReturnToAllocation/AwaitingHealth": [tab("health"), act("clearMaintenance")],
  "Decommissioning/RemovingLeftovers": [tab("reclamation"), act("askNetwork")],
  Decommissioned: [],
  ForceDeletion: [],
  "Failed/NVMECleanFailed": drive,
  "Failed/HDDCleanFailed": drive,
  "Failed/RaidCleanFailed": drive,
  "Failed/BossCleanFailed": drive,
  "Failed/MemOverwriteFailed": [tab("gates"), tab("assurance"), ...stopped],
  "Failed/IbCleanFailed": [tab("gates"), ...stopped],
  "Failed/PlatformCleanFailed": [tab("platform"), tab("assurance"), ...stopped],
  "Failed/CleanFailed": stopped,
  "Failed/DeviceMissing": [
    tab("inventory"),
    act("inspect"),
    act("disposeDrive"),
    act("retry"),
    doc("drives"),
  ],
  "Failed/ContentChanged": [tab("reclamation"), act("retry"), act("restart"), act("manage")],
  "Failed/StepTimeout": stopped,
  "Failed/AgentLost": [tab("reclamation"), ...unbooted],
  "Failed/AgentVersionMismatch": [page("images"), act("restart"), act("manage")],
  "Failed/AgentIdentityConflict": [tab("inventory"), ...unbooted],
  "Failed/GateUnsatisfied": [tab("gates"), act("restart"), act("manage")],
  "Failed/MachineValidation": stopped,
  "Failed/BiosSetupFailed": stopped,
  "Failed/BootContested": unbooted,
  "Failed/MeasuringFailed": [tab("attestation"), ...unbooted],
  "Failed/EraseVoided": [tab("reclamation"), act("restart"), act("manage")],
  "Failed/BmcInventoryFailed": [tab("inventory"), act("inspect"), act("retry"), act("manage")],
  "Failed/ResetNotConfirmed": unbooted,
  "Failed/NetworkNotConfigured": misconfigured,
  "Failed/NetworkRefused": misconfigured,
  "Failed/NetworkUnreachable": misconfigured,
  "Failed/NetworkTimeout": stopped,
  "Failed/DatabaseRestored": [act("restart"), act("manage")],
  "Failed/BmcRefused": stopped,
  "Failed/BmcOfAnotherHost": [tab("inventory"), act("inspect"), ...stopped],
  "Failed/BmcCertificateChanged": [act("confirmCertificate"), act("inspect"), ...stopped],
  "Failed/BmcUnreachable": [act("inspect"), act("retry"), act("manage")],
  "Failed/NetworkReconfigTimeout": stopped,
  "Failed/ManualInterventionRequired": unbooted,
  "Failed/LeftoversRemain": [act("acceptLeftovers"), act("retry"), act("manage"), doc("leftovers")],
} as const satisfies Record<State, readonly NextPointer[]>;

/** Where a state's "check next" points, in order; nowhere for a state of another release. Pure. */
export const nextOf = (state: StoredState): readonly NextPointer[] =>
  isState(state) ? nextTable[state] : [];
