// All commands, in the order of help, and what their groups are for. A group's help names its commands by itself.
import { capacity } from "@/cli/commands/break-fix/capacity";
import { notices } from "@/cli/commands/break-fix/notices";
import { tickets } from "@/cli/commands/break-fix/tickets";
import { webhooks } from "@/cli/commands/break-fix/webhooks";
import { tenants } from "@/cli/commands/sites/tenants";
import { sessions, tokens } from "@/cli/commands/access/tokens";
import { users } from "@/cli/commands/access/users";
import { views } from "@/cli/commands/hosts/views";
import { exceptions } from "@/cli/commands/assurance/exceptions";
import { platform } from "@/cli/commands/hosts/platform";
import { rollouts } from "@/cli/commands/hosts/rollouts";
import { attestation } from "@/cli/commands/hosts/attestation";
import { nicoAttestation } from "@/cli/commands/hosts/nico-attestation";
import { measuredBoot } from "@/cli/commands/hosts/measured-boot";
import { names } from "@/cli/commands/hosts/names";
import { parts } from "@/cli/commands/hosts/parts";
import { drives } from "@/cli/commands/hosts/drives/drives";
import { evidenceFiles } from "@/cli/commands/assurance/evidence";
import { leases, repairSystems } from "@/cli/commands/repair/leases";
import { healthSources } from "@/cli/commands/repair/health-sources";
import { images } from "@/cli/commands/cleaning/images";
import { failures } from "@/cli/commands/cleaning/failures";
import { runbooks } from "@/cli/commands/cleaning/runbooks";
import { brakeCommands, queue } from "@/cli/commands/cleaning/queue";
import { enrolments } from "@/cli/commands/hosts/enrolment/enrolments";
import { securityEvents } from "@/cli/commands/access/security-events";
import { steps } from "@/cli/commands/cleaning/steps";
import { certificates } from "@/cli/commands/assurance/certificates/certificates";
import { trust } from "@/cli/commands/assurance/certificates/trust-file";
import { audit } from "@/cli/commands/audit-log/audit";
import { witness } from "@/cli/commands/audit-log/witness";
import { approvals } from "@/cli/commands/assurance/approvals";
import { procedures } from "@/cli/commands/assurance/procedures";
import { proof } from "@/cli/commands/assurance/proof/proof";
import { instances } from "@/cli/commands/instances/instances";
import { release } from "@/cli/commands/instances/release";
import { repair } from "@/cli/commands/repair/repair";
import { enrollCommand } from "@/cli/commands/hosts/enrolment/enroll";
import { bmcTests } from "@/cli/commands/hosts/bmc-test";
import { bmcCheck } from "@/cli/commands/hosts/bmc-check";
import { bmcRecord } from "@/cli/commands/hosts/bmc-record";
import { bmc } from "@/cli/commands/hosts/enrolment/bmc";
import { boot, maintenance, place, plainActs, recheck } from "@/cli/commands/hosts/host-acts";
import { hostHistory } from "@/cli/commands/hosts/host-history";
import { hosts } from "@/cli/commands/hosts/hosts";
import { decommission } from "@/cli/commands/hosts/decommission";
import { next } from "@/cli/commands/next/next";
import { fleet } from "@/cli/commands/fleet/fleet";
import { search } from "@/cli/commands/fleet/search";
import { watch } from "@/cli/commands/watch";
import { reclamations } from "@/cli/commands/reclamations/reclamations";
import { clean } from "@/cli/commands/cleaning/clean";
import { nodeCommands } from "@/cli/commands/hosts/node";
import { admin } from "@/cli/commands/access/admin";
import { health } from "@/cli/commands/repair/health";
import { dispositions } from "@/cli/commands/hosts/drives/dispositions";
import { labels } from "@/cli/commands/hosts/labels";
import { account } from "@/cli/commands/access/account";
import { policy } from "@/cli/commands/cleaning/policy/policy";
import { site } from "@/cli/commands/sites/site";
import { skus } from "@/cli/commands/hosts/skus";
import type { Row } from "@/cli/define/command";

export const rows: readonly Row[] = [
  ...next,
  ...hosts,
  ...hostHistory,
  ...views,
  enrollCommand,
  ...bmc,
  bmcCheck,
  bmcRecord,
  ...bmcTests,
  ...maintenance,
  ...dispositions,
  place,
  recheck,
  ...labels,
  boot,
  ...plainActs,
  ...health,
  ...leases,
  ...decommission,
  ...enrolments,
  ...drives,
  ...parts,
  ...attestation,
  ...measuredBoot,
  ...nicoAttestation,
  ...names,
  ...platform,
  ...rollouts,
  fleet,
  search,
  ...instances,
  release,
  ...tickets,
  ...notices,
  ...capacity,
  ...webhooks,
  ...repair,
  ...reclamations,
  ...steps,
  clean,
  ...healthSources,
  ...repairSystems,
  watch,
  ...witness,
  ...policy,
  ...site,
  ...skus,
  ...runbooks,
  ...queue,
  ...brakeCommands,
  ...failures,
  ...images,
  ...nodeCommands,
  ...tenants,
  ...users,
  ...tokens,
  ...sessions,
  ...audit,
  ...securityEvents,
  ...approvals,
  ...exceptions,
  ...procedures,
  ...evidenceFiles,
  ...certificates,
  ...proof,
  ...trust,
  admin,
  ...account,
];

export const groups: Readonly<Record<string, string>> = {
  next: "what needs a person, in the order in which it should be done, and who does it",
  hosts: "machines, their states, and what is done with them",
  bmc: "whether Reclaim can work with a BMC",
  tickets: "what is wrong with machines, and what was done about it",
  notices: "announced maintenance, retirement and replacement of machines",
  capacity: "machines, and why some left and came back",
  webhooks: "where events are sent",
  "hosts lease": "who has a host",
  drives: "drives, wherever they are or were",
  attestation: "the identity of TPMs, measured boot and its bundles",
  "attestation measured-boot": "measured boot, in the form of NICo's command",
  "attestation measured-boot machine": "machines by how their boot was measured",
  "attestation spdm": "attestation with SPDM, in the form of NICo's command",
  parts: "GPUs, network cards and memory modules of a host",
  platform: "BIOS, firmware and BMC of hosts as read after their last cleaning",
  "platform rollout": "new firmware for the hosts of a SKU, in stages",
  "health-sources": "who may report health over HTTP",
  "repair-systems": "external systems that may take hosts for repair",
  exceptions: "gates and drives that two people let through",
  evidence: "files that records refer to",
  tenants: "who holds instances",
  users: "who can sign in",
  tokens: "API tokens; create them in the console",
  sessions: "sessions of the console",
  enrolments: "hosts that were enrolled together",
  runbooks: "lists of clean steps; `reclaim clean --runbook` runs one",
  brakes: "brakes on new cleanings",
  failures: "failed hosts in groups",
  images: "agent images and their rollout",
  certificates: "signed statements about reclamations that ended",
  trust: "keys of logs that you trust, for `reclaim verify`",
  audit: "the audit log",
  security: "security",
  "security events": "security events",
  "hosts maintenance": "keeps hosts out of allocation, or lets them in again",
  "hosts labels": "labels of a host: notes for people and programs",
  "hosts health": "health reports of a host",
  instances: "what tenants hold",
  "instances repair": "online repair: the host is repaired while its tenant keeps the instance",
  repair: "hosts that need repair, and their repairs",
  reclamations: "reclamations",
  procedures: "manual procedures, where they are due, and their records",
  approvals: "requests that wait for another person, and approvals that expire",
  proof: "whether a host was erased, when, how, and who approved what was not",
  policy: "how hosts are cleaned",
  "policy priorities": "priorities of clean steps that differ from the default",
  site: "a site as a document",
  skus: "what hosts are made of",
  node: "the commands of the clean-steps specification, over the Ironic API",
  admin: "acts on the whole installation",
  config: "settings of this command",
};
