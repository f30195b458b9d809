CREATE TABLE "recurring_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_id" uuid,
	"leased_until" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_jobs" ADD COLUMN "lease_id" uuid;--> statement-breakpoint
ALTER TABLE "mail_jobs" ADD COLUMN "leased_until" timestamp with time zone;