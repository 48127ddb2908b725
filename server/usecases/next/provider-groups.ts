// The provider's groups as one person sees them: the kinds that they can act on, or may watch.
import type { Reader } from "@/server/db/prisma";
import { decidingRight, samePersonReason } from "@/server/domain/assurance/approvals/approval";
import type { ApprovalKind } from "@/server/domain/assurance/approvals/approval";
import {
  failureGroup,
  overLimitGroup,
  silentAgentsGroup,
  waitingGroup,
} from "@/server/domain/next/host-lines";
import type { NextGroup } from "@/server/domain/next/group";
import { nextKindTable, part } from "@/server/domain/next/kinds";
import {
  brakeGroup,
  decisionGroup,
  endingGroup,
  measurementGroup,
  securityGroup,
} from "@/server/domain/next/other-lines";
import { leaseGroup, repairGroup, webhookGroup } from "@/server/domain/next/repair-lines";
import type { Actor } from "@/server/usecases/actor";
import { resettersOf } from "@/server/usecases/access/resets";
import type { AskedBy, NextFacts } from "@/server/usecases/next/read-facts";

/** A group, and whether the person can act on it. */
export interface SeenGroup extends NextGroup {
  readonly mayAct: boolean;
}

/** Requests of a kind by several people as one. */
function joined(requests: readonly AskedBy[]): readonly AskedBy[] {
  const kinds = new Map<ApprovalKind, AskedBy>();
  for (const request of requests) {
    const known = kinds.get(request.of);
    const oldest = known === undefined || request.since < known.since ? request : known;
    kinds.set(request.of, {
      ...oldest,
      requests: request.requests + (known?.requests ?? 0),
      hosts: request.hosts + (known?.hosts ?? 0),
    });
  }
  return [...kinds.values()];
}

function decisionsOf(
  facts: readonly AskedBy[],
  actor: Actor,
  deciderResetBy: readonly string[],
): readonly SeenGroup[] {
  const seen = facts.flatMap((fact) => {
    const may = part(actor.role, nextKindTable.decision.read, decidingRight[fact.of]);
    if (may === "none") return [];
    const people = {
      askedBy: fact.askedById,
      decidedBy: actor.personId,
      askerResetBy: fact.askerResetBy,
      deciderResetBy,
    };
    return may === "reads" || samePersonReason(people) === null ? [{ fact, mayAct: may === "acts" }] : [];
  });
  const mayAct = new Map(seen.map(({ fact, mayAct: may }) => [fact.of, may]));
  return joined(seen.map(({ fact }) => fact)).map((fact) => ({
    ...decisionGroup(fact),
    mayAct: mayAct.get(fact.of) === true,
  }));
}

/** Without decisions, which differ between people. */
const commonGroups = (facts: NextFacts): readonly NextGroup[] => [
  ...facts.failures.map(failureGroup),
  ...facts.waiting.map(waitingGroup),
  ...facts.overLimit.map(overLimitGroup),
  ...(facts.silentAgents === null ? [] : [silentAgentsGroup(facts.silentAgents)]),
  ...facts.brakes.map(brakeGroup),
  ...facts.security.map(securityGroup),
  ...facts.measurements.map(measurementGroup),
  ...(facts.repair === null ? [] : [repairGroup({ ...facts.repair, own: false })]),
  ...(facts.lease === null ? [] : [leaseGroup(facts.lease)]),
  ...(facts.webhook === null ? [] : [webhookGroup(facts.webhook)]),
  ...(facts.ending === null ? [] : [endingGroup(facts.ending)]),
];

/** For nobody in particular, such as for a webhook. Pure. */
export const allGroups = (facts: NextFacts): readonly NextGroup[] => [
  ...commonGroups(facts),
  ...joined(facts.decisions).map(decisionGroup),
];

export async function providerGroups(
  reader: Reader,
  actor: Actor,
  facts: NextFacts,
): Promise<readonly SeenGroup[]> {
  const deciderResetBy =
    facts.decisions.length === 0 || actor.kind === "local" ? [] : await resettersOf(reader, actor.personId);
  const others = commonGroups(facts).flatMap((group): SeenGroup[] => {
    const { read, act } = nextKindTable[group.kind];
    const may = part(actor.role, read, act);
    return may === "none" ? [] : [{ ...group, mayAct: may === "acts" }];
  });
  return [...others, ...decisionsOf(facts.decisions, actor, deciderResetBy)];
}
