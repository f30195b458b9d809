CREATE TABLE "job_kinds" (
	"id" text PRIMARY KEY NOT NULL,
	"last_success_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "secret_keys" (
	"name" text NOT NULL,
	"key_id" text NOT NULL,
	"first_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_keys_name_key_id_pk" PRIMARY KEY("name","key_id")
);
--> statement-breakpoint
CREATE TABLE "system_conditions" (
	"id" text PRIMARY KEY NOT NULL,
	"trouble_since" timestamp with time zone,
	"announced_at" timestamp with time zone,
	"well_since" timestamp with time zone,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
