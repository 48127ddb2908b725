// What answers the operations of certificates, files of evidence and the audit log (docs/assurance/certificates.md).
import { followAudit } from "@/server/usecases/audit/follow-audit";
import { listAuditKeys, rotateAuditKey } from "@/server/usecases/audit/keys";
import { listAudit } from "@/server/usecases/audit/list-audit";
import { proveEvent } from "@/server/usecases/audit/log-file";
import { readAuditState } from "@/server/usecases/audit/log-state";
import { getCertificate, listCertificates } from "@/server/usecases/certificates/certificates";
import { endEvidenceHold, holdEvidence } from "@/server/usecases/evidence/hold-evidence";
import { listEvidence } from "@/server/usecases/evidence/read-evidence";

export const assuranceHandlers = {
  certificates: { list: listCertificates, get: getCertificate },
  evidence: { list: listEvidence, hold: holdEvidence, endHold: endEvidenceHold },
  audit: {
    list: listAudit,
    follow: followAudit,
    keys: listAuditKeys,
    state: readAuditState,
    proof: proveEvent,
    rotateKey: rotateAuditKey,
  },
};
