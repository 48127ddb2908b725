-- A host that differs from its SKU, or fails a test, stops before its gates: nobody can ask for these two, and a later release must not read one that was.
ALTER TABLE "gate_exception" DROP CONSTRAINT "gate_exception_gate_check";
ALTER TABLE "gate_exception" ADD CONSTRAINT "gate_exception_gate_check" CHECK ("gate" IN ('cleanupCompleted', 'storageSanitized', 'memoryOverwritten', 'infinibandClean', 'platformAtBaseline', 'attestationPassed', 'assuranceSigned'));
