CREATE TABLE "conversation_settlements" (
	"conversation_id" uuid NOT NULL,
	"up_to_seq" bigint NOT NULL,
	"settled_by" uuid NOT NULL,
	"settled_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_settlements_conversation_id_up_to_seq_pk" PRIMARY KEY("conversation_id","up_to_seq")
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "turn_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "commits" ADD COLUMN "arrived_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_settlements" ADD CONSTRAINT "conversation_settlements_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_settlements" ADD CONSTRAINT "conversation_settlements_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_settlements_person_idx" ON "conversation_settlements" USING btree ("settled_by");--> statement-breakpoint
CREATE INDEX "commits_arrived_idx" ON "commits" USING btree ("arrived_at");--> statement-breakpoint
CREATE INDEX "project_events_at_idx" ON "project_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "tasks_completed_idx" ON "tasks" USING btree ("completed_at") WHERE "tasks"."completed_at" is not null;--> statement-breakpoint
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
