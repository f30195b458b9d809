ALTER TYPE "public"."member_role" ADD VALUE 'client';--> statement-breakpoint
CREATE TABLE "conversation_settlements" (
	"conversation_id" uuid NOT NULL,
	"up_to_seq" bigint NOT NULL,
	"settled_by" uuid NOT NULL,
	"settled_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_settlements_conversation_id_up_to_seq_pk" PRIMARY KEY("conversation_id","up_to_seq")
);
--> statement-breakpoint
CREATE TABLE "live_link_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "live_link_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_up" boolean NOT NULL,
	"status" integer,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "live_links" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_id" uuid,
	"leased_until" timestamp with time zone,
	"last_checked_at" timestamp with time zone,
	"failing_since" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "message_tasks" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"task_id" uuid,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_change" bigint NOT NULL,
	"announced_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "request_replies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"request_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_replies_text_length" CHECK (char_length("request_replies"."text") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"urgency" text DEFAULT 'normal' NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"client_request_id" uuid,
	"message_id" uuid,
	"turn_since" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"reason" text,
	"task_id" uuid,
	"duplicate_of" uuid,
	"change_seq" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "requests_client_key_unique" UNIQUE("created_by","client_request_id"),
	CONSTRAINT "requests_title_length" CHECK (char_length("requests"."title") between 1 and 200),
	CONSTRAINT "requests_text_length" CHECK (char_length("requests"."text") between 1 and 5000),
	CONSTRAINT "requests_decided" CHECK (("requests"."status" in ('new', 'asked')) = ("requests"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "sign_offs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"task_ids" uuid[],
	"signer_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"note" text NOT NULL,
	"status" text DEFAULT 'asked' NOT NULL,
	"record" jsonb NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"reason" text,
	CONSTRAINT "sign_offs_note_length" CHECK (char_length("sign_offs"."note") between 1 and 5000),
	CONSTRAINT "sign_offs_decided" CHECK (("sign_offs"."status" = 'asked') = ("sign_offs"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "status_updates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"health" text NOT NULL,
	"text" text NOT NULL,
	"author_id" uuid NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_updates_text_length" CHECK (char_length("status_updates"."text") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "project_templates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"content" jsonb NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_templates_title_length" CHECK (char_length("project_templates"."title") between 1 and 150)
);
--> statement-breakpoint
CREATE TABLE "last_visits" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"seen_up_to" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feeds_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_id" uuid,
	"leased_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"last_error" text,
	"last_attempt_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"gave_up_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_cause_unique" UNIQUE("webhook_id","kind","cause")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"url" text NOT NULL,
	"kinds" text[] NOT NULL,
	"sealed_secret" text NOT NULL,
	"key_id" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhooks_url_length" CHECK (char_length("webhooks"."url") <= 2048)
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "cover_user_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "cover_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "covered_user_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "turn_owes" text DEFAULT 'nobody' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "turn_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "turn_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_link_change" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "kind" text DEFAULT 'text' NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "commits" ADD COLUMN "arrived_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "sign_off_id" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "commit_mode" text DEFAULT 'titles' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "masked_words" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "status_reminder" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_settlements" ADD CONSTRAINT "conversation_settlements_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_settlements" ADD CONSTRAINT "conversation_settlements_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_link_checks" ADD CONSTRAINT "live_link_checks_project_id_live_links_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."live_links"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_links" ADD CONSTRAINT "live_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_replies" ADD CONSTRAINT "request_replies_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_replies" ADD CONSTRAINT "request_replies_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_duplicate_of_requests_id_fk" FOREIGN KEY ("duplicate_of") REFERENCES "public"."requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD CONSTRAINT "sign_offs_signer_id_users_id_fk" FOREIGN KEY ("signer_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD CONSTRAINT "sign_offs_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_offs" ADD CONSTRAINT "sign_offs_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_updates" ADD CONSTRAINT "status_updates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_updates" ADD CONSTRAINT "status_updates_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_templates" ADD CONSTRAINT "project_templates_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "last_visits" ADD CONSTRAINT "last_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_settlements_person_idx" ON "conversation_settlements" USING btree ("settled_by");--> statement-breakpoint
CREATE INDEX "live_link_checks_project_idx" ON "live_link_checks" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "live_links_due_idx" ON "live_links" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "message_tasks_task_idx" ON "message_tasks" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "message_tasks_change_idx" ON "message_tasks" USING btree ("conversation_id","last_change");--> statement-breakpoint
CREATE INDEX "request_replies_request_idx" ON "request_replies" USING btree ("request_id","created_at","id");--> statement-breakpoint
CREATE INDEX "requests_project_idx" ON "requests" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "requests_status_idx" ON "requests" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "requests_author_idx" ON "requests" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "requests_task_idx" ON "requests" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "requests_message_idx" ON "requests" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "requests_duplicate_idx" ON "requests" USING btree ("duplicate_of");--> statement-breakpoint
CREATE INDEX "sign_offs_project_idx" ON "sign_offs" USING btree ("project_id","asked_at","id");--> statement-breakpoint
CREATE INDEX "sign_offs_signer_idx" ON "sign_offs" USING btree ("signer_id","status");--> statement-breakpoint
CREATE INDEX "sign_offs_asked_idx" ON "sign_offs" USING btree ("asked_at") WHERE "sign_offs"."status" = 'asked';--> statement-breakpoint
CREATE INDEX "status_updates_project_idx" ON "status_updates" USING btree ("project_id","sent_at","id");--> statement-breakpoint
CREATE INDEX "status_updates_author_idx" ON "status_updates" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_idx" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."delivered_at" is null and "webhook_deliveries"."gave_up_at" is null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_cover_user_id_users_id_fk" FOREIGN KEY ("cover_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_covered_user_id_users_id_fk" FOREIGN KEY ("covered_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_request_id_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_sign_off_id_sign_offs_id_fk" FOREIGN KEY ("sign_off_id") REFERENCES "public"."sign_offs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_cover_idx" ON "conversations" USING btree ("cover_user_id") WHERE "conversations"."cover_user_id" is not null;--> statement-breakpoint
CREATE INDEX "conversations_cover_until_idx" ON "conversations" USING btree ("cover_until") WHERE "conversations"."cover_until" is not null;--> statement-breakpoint
CREATE INDEX "files_request_idx" ON "files" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "commits_arrived_idx" ON "commits" USING btree ("arrived_at");--> statement-breakpoint
CREATE INDEX "project_events_at_idx" ON "project_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "notifications_request_idx" ON "notifications" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "notifications_sign_off_idx" ON "notifications" USING btree ("sign_off_id");--> statement-breakpoint
CREATE INDEX "tasks_completed_idx" ON "tasks" USING btree ("completed_at") WHERE "tasks"."completed_at" is not null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_cover" CHECK ("conversations"."cover_user_id" is null and "conversations"."cover_until" is null
        or "conversations"."covered_user_id" in ("conversations"."lower_user_id", "conversations"."higher_user_id") and "conversations"."cover_user_id" not in ("conversations"."lower_user_id", "conversations"."higher_user_id"));--> statement-breakpoint
UPDATE "commits" SET "arrived_at" = least("authored_at", now());--> statement-breakpoint
UPDATE "conversations" SET "turn_owes" = "counted"."owes", "turn_seq" = "counted"."seq"
FROM (
	SELECT "newest"."id",
		CASE WHEN "newest"."firm" > "newest"."client" THEN 'client' ELSE 'firm' END AS "owes",
		(SELECT min("messages"."seq") FROM "messages"
			WHERE "messages"."conversation_id" = "newest"."id" AND "messages"."kind" = 'text'
				AND "messages"."seq" > least("newest"."firm", "newest"."client")) AS "seq"
	FROM (
		SELECT "messages"."conversation_id" AS "id",
			coalesce(max("messages"."seq") FILTER (WHERE "users"."account_type" = 'admin'), 0) AS "firm",
			coalesce(max("messages"."seq") FILTER (WHERE "users"."account_type" <> 'admin'), 0) AS "client"
		FROM "messages" JOIN "users" ON "users"."id" = "messages"."sender_id"
		WHERE "messages"."kind" = 'text'
		GROUP BY "messages"."conversation_id"
	) AS "newest"
) AS "counted"
WHERE "conversations"."id" = "counted"."id";
