// Retries the hosts of an enrolment that stopped in Enroll, with the enrolment's goal.
import { enrolment as contract } from "@/server/contract/hosts/enrolment";
import { intentsOfEnrolment } from "@/server/domain/hosts/enrolment/progress";
import { defineAct } from "@/server/usecases/define-act";
import { signalsOf } from "@/server/usecases/hosts/enrolment/enroll";
import { readLines } from "@/server/usecases/hosts/enrolment/enrolment-lines";
import { readHead } from "@/server/usecases/hosts/enrolment/get-enrolment";
import { done } from "@/server/usecases/problem";

export const retryEnrolment = defineAct({
  ...contract.retry,
  names: ({ id }) => ({ kind: "enrolment", id }),
  find: async ({ tx }, { id }) => {
    const head = await readHead(tx, id);
    return head === null ? null : { id, belongs: { tenantId: null }, value: head };
  },
  run: async ({ tx, by }, head, { id, hostIds }) => {
    const stopped = (await readLines(tx, id, head.goal)).flatMap(({ hostId, state, stage, serialGiven }) =>
      hostId !== null &&
      stage === "stopped" &&
      state === "Enroll" &&
      (hostIds === undefined || hostIds.includes(hostId))
        ? [{ hostId, serialGiven }]
        : [],
    );
    return done({
      value: { asked: stopped.length },
      changes: stopped.map(({ hostId }) => ({
        targetId: hostId,
        tenantId: null,
        before: { state: "Enroll" },
        after: { intent: "manage", enrolment: id },
      })),
      tell: {
        signals: stopped.flatMap(({ hostId, serialGiven }) =>
          signalsOf(hostId, intentsOfEnrolment(head, serialGiven), by),
        ),
        feed: stopped.map(({ hostId }) => ({ hostId, tenantId: null, what: "intent" })),
      },
    });
  },
});
