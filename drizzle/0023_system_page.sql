CREATE TABLE "backup_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_id" uuid,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "server_processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"node" text NOT NULL,
	"host" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"activity" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "is_verified" boolean DEFAULT false NOT NULL;