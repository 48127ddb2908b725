// All operations of Reclaim's own interfaces, each defined once (docs/adr/0038-one-definition.md).
// The tRPC procedures, the OpenAPI document and the help of the command line are derived from them.
import { capacity } from "@/server/contract/break-fix/capacity";
import { notices } from "@/server/contract/break-fix/notices";
import { webhooks } from "@/server/contract/break-fix/webhooks";
import { tickets } from "@/server/contract/break-fix/tickets";
import { approvals } from "@/server/contract/assurance/approvals";
import { certificates } from "@/server/contract/assurance/certificates";
import { exceptions } from "@/server/contract/assurance/exceptions";
import { evidence } from "@/server/contract/assurance/evidence";
import { policyChanges } from "@/server/contract/assurance/policy-changes";
import { procedures } from "@/server/contract/assurance/procedures";
import { proof } from "@/server/contract/assurance/proof";
import { audit } from "@/server/contract/audit-log/audit-log";
import { security } from "@/server/contract/access/security-events";
import { account, people, sessions, tokens } from "@/server/contract/access/people";
import { passkeys } from "@/server/contract/access/passkeys";
import { tenants } from "@/server/contract/sites/tenants";
import { bulk } from "@/server/contract/hosts/bulk";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { attestation } from "@/server/contract/hosts/attestation";
import { bmc } from "@/server/contract/hosts/bmc";
import { names } from "@/server/contract/hosts/names";
import { parts } from "@/server/contract/hosts/parts";
import { drives } from "@/server/contract/hosts/drives";
import { health } from "@/server/contract/repair/health";
import { leases } from "@/server/contract/repair/leases";
import { database } from "@/server/contract/database";
import type { Contract } from "@/server/contract/define";
import { enrolment } from "@/server/contract/hosts/enrolment";
import { failures } from "@/server/contract/cleaning/failures";
import { fleet } from "@/server/contract/fleet/fleet";
import { host } from "@/server/contract/hosts/host";
import { hosts } from "@/server/contract/hosts/hosts";
import { images } from "@/server/contract/cleaning/images";
import { instances } from "@/server/contract/instances/instances";
import { policyOperations } from "@/server/contract/cleaning/policy";
import { next } from "@/server/contract/next/next";
import { brakes, queue } from "@/server/contract/cleaning/queue";
import { reclamations } from "@/server/contract/reclamations/reclamations";
import { repair } from "@/server/contract/repair/repair";
import { search } from "@/server/contract/fleet/search";
import { session } from "@/server/contract/access/session";
import { rollouts } from "@/server/contract/hosts/rollouts";
import { skus } from "@/server/contract/hosts/skus";
import { siteOperations } from "@/server/contract/sites/sites";

export const contract = {
  session,
  next,
  fleet,
  hosts,
  host,
  parts,
  attestation,
  names,
  bmc,
  drives,
  health,
  leases,
  instances,
  tickets,
  repair,
  notices,
  webhooks,
  capacity,
  reclamations,
  cleaning,
  queue,
  brakes,
  images,
  audit,
  security,
  approvals,
  policyChanges,
  procedures,
  exceptions,
  evidence,
  certificates,
  proof,
  bulk,
  failures,
  database,
  search,
  site: siteOperations,
  people,
  tenants,
  account,
  passkeys,
  tokens,
  sessions,
  skus,
  rollouts,
  policy: policyOperations,
  enrolment,
} satisfies Contract;
