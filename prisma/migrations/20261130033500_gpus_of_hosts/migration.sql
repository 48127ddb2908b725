-- How many GPUs a source lists, beside the document, so that counting them reads no documents; null: it does not tell (docs/operations.md#monitoring).
ALTER TABLE "host_inventory" ADD COLUMN "gpus" INTEGER GENERATED ALWAYS AS (
  CASE WHEN body #> '{parts,told}' ? 'gpu' THEN jsonb_array_length(jsonb_path_query_array(body, '$.parts.found[*] ? (@.kind == "gpu")')) END
) STORED;

CREATE INDEX "host_inventory_gpus" ON "host_inventory" ("host_id") INCLUDE ("gpus") WHERE "source" = 'agent';
