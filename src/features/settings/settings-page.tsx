import type { ReactNode } from "react";
import { ApiKeyList } from "./api-key-list";
import { Appearance } from "./appearance";
import { Notifications } from "./notifications";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { SessionList } from "./session-list";
import { SettingsSection } from "./settings-section";

/** Settings, for every role, inside the shell of whichever page shows them; `children` are sections of that page alone. */
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
  return (
    <div className="max-w-[1000px]">
      <SettingsSection title="Profile" lead="Your name and picture are shown to everyone you share a project with.">
        <ProfileForm />
      </SettingsSection>
      <SettingsSection
        title="Password"
        lead="Changing it ends every other session of yours at once. If you have only ever used Google, Forgot Password gives you one."
      >
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title="Sessions" lead="The browsers in which you are logged in. End those that you do not know.">
        <SessionList />
      </SettingsSection>
      <SettingsSection
        title="API keys"
        lead="Programs that hold one act in your name. They cannot change your keys, sessions, password or profile. A new password, another type of account, or its end revokes them all."
      >
        <ApiKeyList />
        <p className="mt-4">
          <a href="/docs" className="text-brand-text underline underline-offset-3">
            What programs can call
          </a>
        </p>
      </SettingsSection>
      <SettingsSection title="Notifications" lead="How you hear of messages while you look elsewhere.">
        <Notifications />
      </SettingsSection>
      <SettingsSection title="Appearance" lead="Kept in this browser only.">
        <Appearance />
      </SettingsSection>
    </div>
  );
}
