// Which use case implements each operation of the contract. The types make it complete: an operation without a use case does not compile.
import type { z } from "zod";
import packageJson from "@/package.json";
import { stepCodeOf } from "@/server/hardware/registry";
import { dueProcedures, hostAssurance } from "@/server/usecases/assurance/host-assurance";
import { previewProcedure, procedureHistory } from "@/server/usecases/assurance/procedure-history";
import { recordProcedure } from "@/server/usecases/assurance/record-procedure";
import { getRecord } from "@/server/usecases/assurance/records";
import { listProcedures, removeProcedure, saveProcedure } from "@/server/usecases/assurance/site-procedures";
import { listBulk, bulkProgress } from "@/server/usecases/hosts/bulk/bulk-progress";
import { previewBulk } from "@/server/usecases/hosts/bulk/preview-bulk";
import { startBulk } from "@/server/usecases/hosts/bulk/start-bulk";
import { readCatalogue } from "@/server/usecases/cleaning/catalogue";
import { estimateCleaning } from "@/server/usecases/cleaning/estimate-cleaning";
import { abortCleaning, holdCleaning, resumeCleaning } from "@/server/usecases/cleaning/interrupt";
import { listOverrides } from "@/server/usecases/cleaning/overrides/list-overrides";
import { previewOverride } from "@/server/usecases/cleaning/overrides/preview-override";
import { readSitePolicy } from "@/server/usecases/cleaning/policy/read-site-policy";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { removeRunbook } from "@/server/usecases/cleaning/runbooks/remove-runbook";
import { getRunbook, listRunbooks } from "@/server/usecases/cleaning/runbooks/runbooks";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { saveRunbook } from "@/server/usecases/cleaning/runbooks/save-runbook";
import { cleaningCandidates } from "@/server/usecases/cleaning/cleaning-candidates";
import { readScopes } from "@/server/usecases/cleaning/overrides/scopes";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { setSiteAdmission } from "@/server/usecases/cleaning/policy/set-site-admission";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/policy/set-site-automated-clean";
import { previewPolicy } from "@/server/usecases/cleaning/policy/preview-policy";
import { setSiteErase } from "@/server/usecases/cleaning/policy/set-site-erase";
import { setTraits } from "@/server/usecases/cleaning/policy/set-traits";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";
import { afterRestore } from "@/server/usecases/database/after-restore";
import { databaseIsCurrent } from "@/server/usecases/database/database-is-current";
import { confirmCertificate } from "@/server/usecases/hosts/enrolment/confirm-certificate";
import { setBmc } from "@/server/usecases/hosts/enrolment/set-bmc";
import { enroll } from "@/server/usecases/hosts/enrolment/enroll";
import { getEnrolment, listEnrolments } from "@/server/usecases/hosts/enrolment/get-enrolment";
import { retryEnrolment } from "@/server/usecases/hosts/enrolment/retry";
import { acceptLeftovers } from "@/server/usecases/hosts/decommission/accept-leftovers";
import { decommissionHost } from "@/server/usecases/hosts/decommission/decommission-host";
import { getGone, listGone } from "@/server/usecases/hosts/decommission/gone-hosts";
import { finishRollout } from "@/server/usecases/hosts/rollouts/finish-rollout";
import { getRollout, listRollouts } from "@/server/usecases/hosts/rollouts/list-rollouts";
import {
  abortRollout,
  advanceRollout,
  pauseRollout,
  resumeRollout,
} from "@/server/usecases/hosts/rollouts/rollout-acts";
import { startRollout } from "@/server/usecases/hosts/rollouts/start-rollout";
import { listFirmware } from "@/server/usecases/hosts/list/list-firmware";
import { listPlatform } from "@/server/usecases/hosts/list/list-platform";
import { getDrive } from "@/server/usecases/hosts/drives/get-drive";
import { listDriveModels } from "@/server/usecases/hosts/drives/list-models";
import { findDrives, listDrives } from "@/server/usecases/hosts/drives/list-drives";
import { groupHistory } from "@/server/usecases/next/group-history";
import { countNext, listNext } from "@/server/usecases/next/list-next";
import { assignNext, noteNext, snoozeNext, wakeNext } from "@/server/usecases/next/next-acts";
import { failureGroups } from "@/server/usecases/cleaning/failures/failure-groups";
import { noteFailure } from "@/server/usecases/cleaning/failures/note-failure";
import { fleetFailures } from "@/server/usecases/fleet/failures-over-time";
import { fleetSummary } from "@/server/usecases/fleet/fleet-summary";
import { fleetRacks } from "@/server/usecases/fleet/racks";
import { breakLease, getLeases, giveLease } from "@/server/usecases/repair/leases/host-leases";
import { addSystem, listSystems, removeSystem, renewSystem } from "@/server/usecases/repair/leases/systems";
import { getHealth, listTemplates } from "@/server/usecases/repair/health/get-health";
import { readHealthNow } from "@/server/usecases/repair/health/read-health-now";
import { addReport, applyTemplate, removeReport } from "@/server/usecases/repair/health/report-acts";
import {
  addSource,
  listSources,
  removeSource,
  replaceSourceToken,
} from "@/server/usecases/repair/health/sources";
import { setBoot } from "@/server/usecases/hosts/acts/set-boot";
import { getHostLabels } from "@/server/usecases/hosts/labels/get-labels";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { setPlace } from "@/server/usecases/hosts/acts/set-place";
import { assignSku } from "@/server/usecases/hosts/acts/assign-sku";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { confirmUntouched } from "@/server/usecases/hosts/maintenance/confirm-untouched";
import { recheckHost } from "@/server/usecases/hosts/maintenance/recheck-host";
import { attestationOverview } from "@/server/usecases/hosts/attestation/attestation-overview";
import { measuredMachines } from "@/server/usecases/hosts/attestation/measured-machines";
import { demoteBundle } from "@/server/usecases/hosts/attestation/demote-bundle";
import { promoteReport } from "@/server/usecases/hosts/attestation/promote-report";
import { acceptKey } from "@/server/usecases/hosts/attestation/accept-key";
import { getAttestation } from "@/server/usecases/hosts/attestation/get-attestation";
import { getBmcTest } from "@/server/usecases/hosts/bmc/get-bmc-test";
import { resetBmc } from "@/server/usecases/hosts/bmc/reset-bmc";
import { testBmc, testEnrolment } from "@/server/usecases/hosts/bmc/test-bmc";
import { confirmNames } from "@/server/usecases/hosts/names/confirm-names";
import { withdrawName } from "@/server/usecases/hosts/names/withdraw-name";
import { getNames } from "@/server/usecases/hosts/names/get-names";
import { acceptParts } from "@/server/usecases/hosts/parts/accept-parts";
import { getParts } from "@/server/usecases/hosts/parts/get-parts";
import { disposeDrive, withdrawDisposition } from "@/server/usecases/hosts/acts/dispose-drive";
import { findHosts } from "@/server/usecases/hosts/list/find-hosts";
import { getGates } from "@/server/usecases/hosts/one/get-gates";
import { getHistory } from "@/server/usecases/hosts/one/get-history";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { getInventory } from "@/server/usecases/hosts/one/get-inventory";
import { getReclamation } from "@/server/usecases/reclamations/get-reclamation";
import { hostIntentActs } from "@/server/usecases/hosts/acts/host-intent-acts";
import { readFilterValues } from "@/server/usecases/hosts/list/filter-values";
import { listSavedViews, removeView, saveView } from "@/server/usecases/hosts/list/saved-views";
import { hostViews } from "@/server/usecases/hosts/list/host-views";
import { listHosts, readHostRows } from "@/server/usecases/hosts/list/list-hosts";
import { previewHostAct } from "@/server/usecases/hosts/acts/preview-host-act";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { addImage } from "@/server/usecases/cleaning/images/add-image";
import { listImages } from "@/server/usecases/cleaning/images/list-images";
import { makeImageCurrent } from "@/server/usecases/cleaning/images/make-image-current";
import { widenImage } from "@/server/usecases/cleaning/images/widen-image";
import { withdrawImage } from "@/server/usecases/cleaning/images/withdraw-image";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { findInstances } from "@/server/usecases/instances/find-instances";
import { instanceHistory } from "@/server/usecases/instances/instance-history";
import { getInstance, listInstances } from "@/server/usecases/instances/list-instances";
import { offerInstances } from "@/server/usecases/instances/offer-instances";
import { getReceipt } from "@/server/usecases/instances/receipt/get-receipt";
import { releaseInstances } from "@/server/usecases/instances/release-instances";
import { updateInstance } from "@/server/usecases/instances/update-instance";
import { escalateRepair } from "@/server/usecases/repair/escalate-repair";
import { beginOnlineRepair, endOnlineRepair } from "@/server/usecases/repair/online-repair";
import { getQueue } from "@/server/usecases/cleaning/queue/get-queue";
import { engageBrake } from "@/server/usecases/cleaning/queue/engage-brake";
import { investigateBrake } from "@/server/usecases/cleaning/queue/investigate-brake";
import { narrowBrake } from "@/server/usecases/cleaning/queue/narrow-brake";
import { liftBrake } from "@/server/usecases/cleaning/queue/lift-brake";
import { queueHosts } from "@/server/usecases/cleaning/queue/queue-hosts";
import { findReclamation, listReclamations } from "@/server/usecases/reclamations/list-reclamations";
import { searchAll } from "@/server/usecases/fleet/search-all";
import { getMe } from "@/server/usecases/access/session/get-me";
import { applySite } from "@/server/usecases/sites/apply-site";
import { compareSite } from "@/server/usecases/sites/compare-site";
import { compareVersions, previewRestore } from "@/server/usecases/sites/compare-versions";
import { getSite } from "@/server/usecases/sites/get-site";
import { lastChanges, siteVersions } from "@/server/usecases/sites/site-versions";
import { getSku } from "@/server/usecases/hosts/skus/get-sku";
import { listSkus } from "@/server/usecases/hosts/skus/list-skus";
import { proposeSkuOfHost } from "@/server/usecases/hosts/skus/propose-sku";
import {
  captureSkuBaseline,
  changeSku,
  createSku,
  createSkuFromHost,
  removeSku,
} from "@/server/usecases/hosts/skus/sku-acts";
import { assuranceHandlers } from "@/server/surfaces/trpc/assurance-handlers";
import { breakFixHandlers } from "@/server/surfaces/trpc/break-fix-handlers";
import type { contract } from "@/server/contract/contract";
import type { Contract, Operation, Read } from "@/server/contract/define";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Outcome } from "@/server/usecases/problem";
import { accessHandlers } from "@/server/surfaces/trpc/access-handlers";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

/** What a use case receives and returns, according to the contract. */
type Handler<Of extends Operation> = Of extends Read
  ? (
      backend: WebBackend,
      actor: Actor,
      input: z.output<Of["input"]>,
    ) => Promise<Outcome<z.output<Of["output"]>>>
  : (
      backend: WebBackend,
      actor: Actor,
      request: Request,
      input: z.output<Of["input"]>,
    ) => Promise<Outcome<z.output<Of["output"]>>>;

type Handlers<Of extends Contract> = {
  readonly [Noun in keyof Of]: { readonly [Name in keyof Of[Noun]]: Handler<Of[Noun][Name]> };
};

export const handlers: Handlers<typeof contract> = {
  session: {
    me: (backend, actor) => getMe(backend, actor, packageJson.version, backend.config.demoDesk !== undefined),
  },
  next: {
    list: listNext,
    count: countNext,
    history: groupHistory,
    assign: assignNext,
    note: noteNext,
    snooze: snoozeNext,
    wake: wakeNext,
  },
  fleet: { summary: fleetSummary, failures: fleetFailures, racks: fleetRacks },
  hosts: {
    list: listHosts,
    find: findHosts,
    rows: readHostRows,
    views: hostViews,
    filterValues: readFilterValues,
    savedViews: listSavedViews,
    saveView,
    removeView,
    gone: listGone,
    goneOne: getGone,
    platform: listPlatform,
    firmware: listFirmware,
    preview: previewHostAct,
  },
  host: {
    get: getHost,
    reclamation: getReclamation,
    gates: getGates,
    history: getHistory,
    inventory: getInventory,
    act: (backend, actor, request, { intent, ...input }) =>
      hostIntentActs[intent](backend, actor, request, input),
    decommission: decommissionHost,
    acceptLeftovers,
    disposeDrive,
    withdrawDisposition,
    assignSku,
    setBmc,
    confirmCertificate,
    setBoot,
    labels: getHostLabels,
    setLabels: setHostLabels,
    setPlace,
    setMaintenance,
    clearMaintenance,
    confirmUntouched,
    recheck: recheckHost,
  },
  parts: { ofHost: getParts, accept: acceptParts },
  attestation: {
    ofHost: getAttestation,
    acceptKey,
    overview: attestationOverview,
    machines: measuredMachines,
    promote: promoteReport,
    demote: demoteBundle,
  },
  names: { ofHost: getNames, confirm: confirmNames, withdraw: withdrawName },
  bmc: { get: getBmcTest, test: testBmc, reset: resetBmc, testEnrolment },
  drives: { list: listDrives, models: listDriveModels, find: findDrives, get: getDrive },
  health: {
    get: getHealth,
    templates: listTemplates,
    apply: applyTemplate,
    add: addReport,
    remove: removeReport,
    readNow: readHealthNow,
    sources: listSources,
    addSource,
    replaceToken: replaceSourceToken,
    removeSource,
  },
  procedures: {
    list: listProcedures,
    save: saveProcedure,
    remove: removeProcedure,
    history: procedureHistory,
    preview: previewProcedure,
    due: dueProcedures,
    ofHost: hostAssurance,
    get: getRecord,
    record: recordProcedure,
  },
  leases: {
    get: getLeases,
    give: giveLease,
    break: breakLease,
    systems: listSystems,
    addSystem,
    renewSystem,
    removeSystem,
  },
  instances: {
    list: (backend, actor, { filter, ...query }) => listInstances(backend, actor, { text: filter, ...query }),
    find: findInstances,
    get: getInstance,
    history: instanceHistory,
    receipt: getReceipt,
    offer: offerInstances,
    create: claimHost,
    update: updateInstance,
    beginRepair: beginOnlineRepair,
    endRepair: endOnlineRepair,
    escalateRepair,
    release: (backend, actor, request, asked) =>
      releaseInstances(backend, actor, request, asked, (err) =>
        backend.logger.error({ err, requestId: request.requestId }, "a release failed"),
      ),
  },
  ...breakFixHandlers,
  reclamations: { list: listReclamations, find: findReclamation },
  cleaning: {
    scopes: readScopes,
    catalogue: (backend, actor, subject) => readCatalogue(backend, actor, subject, stepCodeOf),
    sitePolicy: readSitePolicy,
    overrides: listOverrides,
    previewOverride,
    runbooks: listRunbooks,
    runbook: getRunbook,
    candidates: cleaningCandidates,
    estimate: estimateCleaning,
    saveOverride,
    removeOverride,
    setSiteAutomatedClean,
    setHostAutomatedClean,
    setTraits: (backend, actor, request, { hostId, traits }) =>
      setTraits(backend, actor, request, { hostId, change: { kind: "all", traits } }),
    saveRunbook,
    removeRunbook,
    start: startCleaning,
    abort: abortCleaning,
    hold: holdCleaning,
    resume: resumeCleaning,
  },
  queue: { get: getQueue, hosts: queueHosts, setLimits: setSiteAdmission },
  ...assuranceHandlers,
  brakes: { engage: engageBrake, investigate: investigateBrake, narrow: narrowBrake, lift: liftBrake },
  images: {
    list: (backend, actor) => listImages(backend, actor, { configuredUrl: backend.config.bootImageUrl }),
    add: addImage,
    widen: widenImage,
    makeCurrent: makeImageCurrent,
    withdraw: withdrawImage,
  },
  bulk: { preview: previewBulk, start: startBulk, progress: bulkProgress, list: listBulk },
  failures: { groups: failureGroups, note: noteFailure },
  database: { afterRestore, isCurrent: databaseIsCurrent },
  search: { all: searchAll },
  policy: { preview: previewPolicy, setErase: setSiteErase },
  skus: {
    list: listSkus,
    get: getSku,
    propose: proposeSkuOfHost,
    create: createSku,
    createFromHost: createSkuFromHost,
    change: changeSku,
    captureBaseline: captureSkuBaseline,
    remove: removeSku,
  },
  rollouts: {
    list: listRollouts,
    get: getRollout,
    start: startRollout,
    pause: pauseRollout,
    resume: resumeRollout,
    advance: advanceRollout,
    finish: finishRollout,
    abort: abortRollout,
  },
  site: {
    get: getSite,
    compare: compareSite,
    versions: siteVersions,
    difference: compareVersions,
    lastChanges,
    previewRestore,
    apply: applySite,
  },
  enrolment: { enroll, list: listEnrolments, get: getEnrolment, retry: retryEnrolment },
  ...accessHandlers,
};
