-- A drain proves the memory only after the drives were erased, whatever the clocks say (docs/adr/0102-approvals-and-procedures.md). Null: of before; it is done again.
ALTER TABLE "procedure_record" ADD COLUMN "after_result" BIGINT;
