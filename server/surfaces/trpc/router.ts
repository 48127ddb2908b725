// All procedures of the console, by noun.
import { brakesLift } from "@/server/surfaces/trpc/procedures/brakes-lift";
import { bulkList } from "@/server/surfaces/trpc/procedures/bulk-list";
import { bulkPreview } from "@/server/surfaces/trpc/procedures/bulk-preview";
import { bulkProgress } from "@/server/surfaces/trpc/procedures/bulk-progress";
import { bulkStart } from "@/server/surfaces/trpc/procedures/bulk-start";
import { cleaningCatalogue } from "@/server/surfaces/trpc/procedures/cleaning-catalogue";
import { cleaningEstimate } from "@/server/surfaces/trpc/procedures/cleaning-estimate";
import { cleaningAbort, cleaningHold, cleaningResume } from "@/server/surfaces/trpc/procedures/cleaning-interrupt";
import { cleaningOverrides } from "@/server/surfaces/trpc/procedures/cleaning-overrides";
import { cleaningPreviewOverride } from "@/server/surfaces/trpc/procedures/cleaning-preview-override";
import { cleaningRemoveOverride } from "@/server/surfaces/trpc/procedures/cleaning-remove-override";
import { cleaningRemoveRunbook } from "@/server/surfaces/trpc/procedures/cleaning-remove-runbook";
import { cleaningRunbook } from "@/server/surfaces/trpc/procedures/cleaning-runbook";
import { cleaningRunbooks } from "@/server/surfaces/trpc/procedures/cleaning-runbooks";
import { cleaningSaveOverride } from "@/server/surfaces/trpc/procedures/cleaning-save-override";
import { cleaningSaveRunbook } from "@/server/surfaces/trpc/procedures/cleaning-save-runbook";
import { cleaningScopes } from "@/server/surfaces/trpc/procedures/cleaning-scopes";
import { cleaningSetHostAutomatedClean, cleaningSetSiteAutomatedClean } from "@/server/surfaces/trpc/procedures/cleaning-set-automated-clean";
import { cleaningSetTraits } from "@/server/surfaces/trpc/procedures/cleaning-set-traits";
import { cleaningSitePolicy } from "@/server/surfaces/trpc/procedures/cleaning-site-policy";
import { cleaningStart } from "@/server/surfaces/trpc/procedures/cleaning-start";
import { databaseAfterRestore, databaseCurrent } from "@/server/surfaces/trpc/procedures/database-acts";
import { failuresGroups } from "@/server/surfaces/trpc/procedures/failures-groups";
import { failuresNote } from "@/server/surfaces/trpc/procedures/failures-note";
import { fleetSummary } from "@/server/surfaces/trpc/procedures/fleet-summary";
import { hostAct } from "@/server/surfaces/trpc/procedures/host-act";
import { hostAssignSku } from "@/server/surfaces/trpc/procedures/host-assign-sku";
import { hostConfirmUntouched } from "@/server/surfaces/trpc/procedures/host-confirm-untouched";
import { hostClearMaintenance } from "@/server/surfaces/trpc/procedures/host-clear-maintenance";
import { hostDisposeDrive, hostWithdrawDisposition } from "@/server/surfaces/trpc/procedures/host-drives";
import { hostGates } from "@/server/surfaces/trpc/procedures/host-gates";
import { hostGet } from "@/server/surfaces/trpc/procedures/host-get";
import { hostHistory } from "@/server/surfaces/trpc/procedures/host-history";
import { hostInventory } from "@/server/surfaces/trpc/procedures/host-inventory";
import { hostReclamation } from "@/server/surfaces/trpc/procedures/host-reclamation";
import { hostSetMaintenance } from "@/server/surfaces/trpc/procedures/host-set-maintenance";
import { hostsFind } from "@/server/surfaces/trpc/procedures/hosts-find";
import { hostsList } from "@/server/surfaces/trpc/procedures/hosts-list";
import { hostsPreview } from "@/server/surfaces/trpc/procedures/hosts-preview";
import { hostsRows } from "@/server/surfaces/trpc/procedures/hosts-rows";
import { hostsViews } from "@/server/surfaces/trpc/procedures/hosts-views";
import { imagesAdd, imagesMakeCurrent, imagesWiden, imagesWithdraw } from "@/server/surfaces/trpc/procedures/images-acts";
import { imagesList } from "@/server/surfaces/trpc/procedures/images-list";
import { instancesFind } from "@/server/surfaces/trpc/procedures/instances-find";
import { instancesGet } from "@/server/surfaces/trpc/procedures/instances-get";
import { instancesHistory } from "@/server/surfaces/trpc/procedures/instances-history";
import { instancesList } from "@/server/surfaces/trpc/procedures/instances-list";
import { instancesRelease } from "@/server/surfaces/trpc/procedures/instances-release";
import { queueGet } from "@/server/surfaces/trpc/procedures/queue-get";
import { queueHosts } from "@/server/surfaces/trpc/procedures/queue-hosts";
import { queueSetLimits } from "@/server/surfaces/trpc/procedures/queue-set-limits";
import { reclamationsFind } from "@/server/surfaces/trpc/procedures/reclamations-find";
import { reclamationsList } from "@/server/surfaces/trpc/procedures/reclamations-list";
import { searchAll } from "@/server/surfaces/trpc/procedures/search-all";
import { sessionMe } from "@/server/surfaces/trpc/procedures/session-me";
import { router } from "@/server/surfaces/trpc/trpc";

export const appRouter = router({
  session: router({ me: sessionMe }),
  fleet: router({ summary: fleetSummary }),
  hosts: router({ list: hostsList, find: hostsFind, rows: hostsRows, views: hostsViews, preview: hostsPreview }),
  host: router({
    get: hostGet,
    reclamation: hostReclamation,
    gates: hostGates,
    history: hostHistory,
    inventory: hostInventory,
    act: hostAct,
    disposeDrive: hostDisposeDrive,
    withdrawDisposition: hostWithdrawDisposition,
    assignSku: hostAssignSku,
    setMaintenance: hostSetMaintenance,
    clearMaintenance: hostClearMaintenance,
    confirmUntouched: hostConfirmUntouched,
  }),
  instances: router({ list: instancesList, find: instancesFind, get: instancesGet, history: instancesHistory, release: instancesRelease }),
  reclamations: router({ list: reclamationsList, find: reclamationsFind }),
  cleaning: router({
    scopes: cleaningScopes,
    catalogue: cleaningCatalogue,
    sitePolicy: cleaningSitePolicy,
    overrides: cleaningOverrides,
    previewOverride: cleaningPreviewOverride,
    runbooks: cleaningRunbooks,
    runbook: cleaningRunbook,
    estimate: cleaningEstimate,
    saveOverride: cleaningSaveOverride,
    removeOverride: cleaningRemoveOverride,
    setSiteAutomatedClean: cleaningSetSiteAutomatedClean,
    setHostAutomatedClean: cleaningSetHostAutomatedClean,
    setTraits: cleaningSetTraits,
    saveRunbook: cleaningSaveRunbook,
    removeRunbook: cleaningRemoveRunbook,
    start: cleaningStart,
    abort: cleaningAbort,
    hold: cleaningHold,
    resume: cleaningResume,
  }),
  queue: router({ get: queueGet, hosts: queueHosts, setLimits: queueSetLimits }),
  brakes: router({ lift: brakesLift }),
  images: router({ list: imagesList, add: imagesAdd, widen: imagesWiden, makeCurrent: imagesMakeCurrent, withdraw: imagesWithdraw }),
  bulk: router({ preview: bulkPreview, start: bulkStart, progress: bulkProgress, list: bulkList }),
  failures: router({ groups: failuresGroups, note: failuresNote }),
  database: router({ afterRestore: databaseAfterRestore, isCurrent: databaseCurrent }),
  search: router({ all: searchAll }),
});
export type AppRouter = typeof appRouter;
