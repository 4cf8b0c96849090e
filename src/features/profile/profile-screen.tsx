import { useEffect } from 'react'
import { Avatar } from '../../ui/display/avatar.tsx'
import { useFormKey } from '../../ui/form/use-form-key.ts'
import { PageHeading } from '../../ui/page-heading.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { DataAge } from '../../widgets/screen-states/data-age.tsx'
import { PendingOwnChange } from '../../widgets/editing/pending-own-change.tsx'
import { singleKeyMessages } from '../../widgets/keys/messages.ts'
import { SingleKeysField } from '../../widgets/keys/single-keys-field.tsx'
import { useOwnOperations } from '../../data/queue-own-change.ts'
import { refreshUser } from '../../data/profile.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { ProfileForm } from './profile-form.tsx'
import { SecuritySection } from './security/security-section.tsx'
import { profileMessages as messages } from './messages.ts'

/** `/settings/profile` */
export function Component() {
  const user = useCurrentSession()?.user
  const operations = useOwnOperations('updateUserinfo')
  const form = useFormKey(user?.updated_at ?? null)

  useEffect(() => void refreshUser(), [])

  if (!user) return null
  return (
    <div className="max-w-2xl">
      <header className="mb-7 flex items-center gap-4 cramped:flex-wrap">
        <Avatar name={user.name} size="large" />
        <div className="min-w-0">
          <PageHeading title={messages.title} />
          <p className="mt-0.5 text-sm text-ink-muted">{messages.lead}</p>
          <DataAge read={refreshUser} />
        </div>
      </header>
      <div {...form.around}>
        <ProfileForm
          key={form.key}
          user={user}
          onSaved={() => {
            toast(messages.saved)
            form.renew()
          }}
        />
      </div>
      <PendingOwnChange operations={operations}>{messages.changed}</PendingOwnChange>
      <section aria-labelledby="keyboard" className="mt-12">
        <h2 id="keyboard" className="border-b border-line pb-2 text-lg">
          {singleKeyMessages.title}
        </h2>
        <SingleKeysField />
      </section>
      <SecuritySection user={user} />
    </div>
  )
}
