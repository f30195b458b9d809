CREATE TYPE "public"."inquiry_kind" AS ENUM('contact', 'application');--> statement-breakpoint
CREATE TYPE "public"."inquiry_status" AS ENUM('new', 'answered', 'closed');--> statement-breakpoint
CREATE TYPE "public"."inquiry_subject" AS ENUM('collaboration', 'partnership', 'project', 'support', 'other');--> statement-breakpoint
CREATE TYPE "public"."programme" AS ENUM('training', 'free-internship', 'paid-internship');--> statement-breakpoint
CREATE TYPE "public"."vital" AS ENUM('CLS', 'FCP', 'INP', 'LCP', 'TTFB');--> statement-breakpoint
CREATE TABLE "inquiries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "inquiry_kind" NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"company" text,
	"subject" "inquiry_subject",
	"phone" text,
	"programme" "programme",
	"message" text NOT NULL,
	"status" "inquiry_status" DEFAULT 'new' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" uuid,
	CONSTRAINT "inquiries_of_their_kind" CHECK (case "inquiries"."kind" when 'contact' then "inquiries"."subject" is not null and "inquiries"."message" <> '' else "inquiries"."programme" is not null and "inquiries"."phone" is not null end)
);
--> statement-breakpoint
CREATE TABLE "web_vitals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "web_vitals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"route" text NOT NULL,
	"vital" "vital" NOT NULL,
	"value" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inquiries_newest_idx" ON "inquiries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "inquiries_status_idx" ON "inquiries" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "web_vitals_at_idx" ON "web_vitals" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_events_kind_idx" ON "audit_events" USING btree ("kind","id");