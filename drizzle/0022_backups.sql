CREATE TABLE "backups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"file" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone DEFAULT now() NOT NULL,
	"size_bytes" bigint,
	"holds_secrets" boolean DEFAULT false NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE INDEX "backups_kind_idx" ON "backups" USING btree ("kind","id");