// The handlers of repairs, tickets, notices, capacity and webhooks (docs/repair.md#tickets).
import { getRepairQueue } from "@/server/usecases/repair/get-queue";
import { getRepairHost } from "@/server/usecases/repair/get-repair-host";
import { listHeld } from "@/server/usecases/repair/list-held";
import { listOffenders } from "@/server/usecases/repair/list-offenders";
import { listOutcomes } from "@/server/usecases/repair/list-outcomes";
import { setOutcome } from "@/server/usecases/repair/set-outcome";
import { capacityEvents, capacityNodes } from "@/server/usecases/break-fix/capacity";
import { closeTicket, openTicket, updateTicket } from "@/server/usecases/break-fix/ticket-acts";
import {
  acknowledgeNotice,
  changeNotice,
  createNotice,
  endNotice,
} from "@/server/usecases/break-fix/notice-acts";
import { listNotices } from "@/server/usecases/break-fix/notices";
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resumeWebhook,
  skipDelivery,
  testWebhook,
} from "@/server/usecases/break-fix/webhooks";
import { getTicket, listTickets } from "@/server/usecases/break-fix/read-tickets";

export const breakFixHandlers = {
  repair: {
    queue: getRepairQueue,
    held: listHeld,
    outcomes: listOutcomes,
    offenders: listOffenders,
    host: getRepairHost,
    setOutcome,
  },
  tickets: { list: listTickets, get: getTicket, open: openTicket, update: updateTicket, close: closeTicket },
  notices: {
    list: listNotices,
    create: createNotice,
    change: changeNotice,
    end: endNotice,
    acknowledge: acknowledgeNotice,
  },
  capacity: { events: capacityEvents, nodes: capacityNodes },
  webhooks: {
    list: listWebhooks,
    deliveries: listDeliveries,
    create: createWebhook,
    remove: removeWebhook,
    resume: resumeWebhook,
    skip: skipDelivery,
    test: testWebhook,
  },
};
