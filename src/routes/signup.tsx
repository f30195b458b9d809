import { createFileRoute } from "@tanstack/react-router";
import { SignupPage } from "@/features/auth/signup-page";
import { requireSignedOut } from "@/lib/guards";

export const Route = createFileRoute("/signup")({
  beforeLoad: requireSignedOut,
  component: SignupPage,
});
