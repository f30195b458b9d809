import { lazy, type ReactNode, Suspense } from "react";
import { CalendarFeed } from "@/features/feeds/calendar-feed";
import { NotificationPreferences } from "@/features/notifications/notification-preferences";
import { Skeleton } from "@/ui/skeleton";
import { ApiKeyList } from "./api-key-list";
import { Appearance } from "./appearance";
import { Notifications } from "./notifications";
import { PasswordForm } from "./password-form";
import { PhotoField } from "./photo-field";
import { ProfileForm } from "./profile-form";
import { SettingsSection } from "./settings-section";
import { TwoFactor } from "./two-factor";
import { useSessions } from "./use-settings";

/** Apart: reading the names of browsers takes a third of the page's own code. */
const SessionList = lazy(() => import("./session-list").then((module) => ({ default: module.SessionList })));

/** Settings for every role, in any shell; `children` are sections of one shell only. */
export function SettingsPage({ children }: { children?: ReactNode }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Settings
      </h1>
      <Sections />
      {children}
    </>
  );
}

function Sections() {
  // Asked in one request with the rest, while the code of the section is on its way.
  const sessions = useSessions();
  return (
    <div className="max-w-[1000px]">
      <SettingsSection title="Profile" lead="Your name and picture are shown to everyone you share a project with.">
        <PhotoField />
        <ProfileForm />
      </SettingsSection>
      <SettingsSection
        title="Password"
        lead="Changing it logs you out everywhere else. If you have only used Google so far, use Forgot Password to set one."
      >
        <PasswordForm />
      </SettingsSection>
      <SettingsSection
        title="Two-factor sign-in"
        lead="A code from an authenticator app in addition to your password. A new password makes every remembered browser ask again."
      >
        <TwoFactor />
      </SettingsSection>
      <SettingsSection title="Sessions" lead="The browsers you are logged in with. End any you don't recognise.">
        <Suspense fallback={<Skeleton className="h-12 w-full" />}>
          <SessionList query={sessions} />
        </Suspense>
      </SettingsSection>
      <SettingsSection
        title="API keys"
        lead="A program with an API key acts in your name. It can't change your keys, sessions, password, two-factor sign-in or profile. A new password, another account type, or closing the account revokes all keys."
      >
        <ApiKeyList />
        <p className="mt-4">
          <a href="/docs" className="text-brand-text underline underline-offset-3">
            API reference
          </a>
        </p>
      </SettingsSection>
      <SettingsSection
        title="Notifications"
        lead="What your inbox shows, and what you get by email: at once, if you have not read it within five minutes, or once a day at 08:00."
      >
        <NotificationPreferences />
        <hr className="my-4 border-line" />
        <Notifications />
      </SettingsSection>
      <SettingsSection
        title="Calendar"
        lead="Your due dates in your own calendar app, at a private address. It stays up to date by itself."
      >
        <CalendarFeed />
      </SettingsSection>
      <SettingsSection title="Appearance" lead="Saved in this browser only.">
        <Appearance />
      </SettingsSection>
    </div>
  );
}
