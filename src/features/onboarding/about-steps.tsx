import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { validateForm } from '../../../contract/errors.ts'
import { OrganisationDraft, type Organisation } from '../../../contract/schemas/organisations.ts'
import { canManage } from '../../../contract/roles.ts'
import { useCapability, useConnection } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { CurrencyField, TimeZoneField } from '../../ui/form/locale-fields.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { InviteForm } from '../members/invite-form.tsx'
import { Invites } from '../members/invites.tsx'
import { createOrganisation } from '../../data/organisations/create.ts'
import { openCreated } from '../../data/organisations/mutations.ts'
import { membersQuery, organisationsQuery } from '../../data/organisations/queries.ts'
import { ProfileForm } from '../profile/profile-form.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { InOrganisation, OrganisationReady } from './in-organisation.tsx'
import type { StepProps } from './onboarding-screen.tsx'
import { onboardingMessages as messages } from './messages.ts'

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

/** The user's name and time zone. */
export function ProfileStep({ user, onDone }: StepProps) {
  // UTC is the default for new users, so it was not chosen.
  const zone = user.timezone === 'UTC' ? { timezone: timeZone } : {}
  return <ProfileForm {...zone} user={user} action={messages.proceed} onSaved={onDone} />
}

/** Creates an organisation, or opens one that the user belongs to. */
export function OrganisationStep({ onDone }: StepProps) {
  const active = useCurrentSession()?.organisation
  const others = useQuery(organisationsQuery()).data?.data
  if (active)
    return (
      <OrganisationReady onContinue={onDone}>
        {messages.organisation.alreadyMember(active.name)}
      </OrganisationReady>
    )
  return (
    <>
      {others && others.length > 0 && (
        <div className="mb-6">
          <Notice
            action={
              <Link to="/organisations?redirect=%2Fonboarding" className={`${buttonClass()} -my-1`}>
                {messages.organisation.pick}
              </Link>
            }
          >
            {messages.organisation.choose}
          </Notice>
        </div>
      )}
      <OrganisationForm onDone={onDone} />
    </>
  )
}

function OrganisationForm({ onDone }: { onDone: () => void }) {
  const offline = useConnection() === 'offline'
  const hasLocale = useCapability('ids', true)
  const editor = useEditor({
    draft: 'first-organisation',
    id: 'organisation',
    initial: { name: '', timezone: timeZone, currency: 'EUR' },
    labels: messages.organisation.fields,
    check: (fields) => validateForm(OrganisationDraft, fields),
    save: async (value, _changed, _seen, { new_id }) => {
      const { name, timezone, currency } = value
      return {
        created: await createOrganisation({ ...value, id: new_id }),
        // Without fields that are not shown, and were not sent.
        typed: hasLocale ? { name, timezone, currency } : { name },
      }
    },
    done: async ({ created, typed }) => {
      await openCreated(created, typed)
      onDone()
    },
  })
  return (
    <PlainForm
      editor={editor}
      action={messages.organisation.create}
      unavailable={offline ? messages.offline : undefined}
    >
      <TextField {...editor.field('name')} autoComplete="organization" />
      {hasLocale && (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <TimeZoneField {...editor.field('timezone')} />
          <CurrencyField {...editor.field('currency')} />
        </div>
      )}
    </PlainForm>
  )
}

/** Invites members, for users who may. */
export function InviteStep({ user, onDone }: StepProps) {
  return (
    <InOrganisation>
      {(organisation) =>
        canManage(user, organisation) ? (
          <InvitePeople organisation={organisation} onDone={onDone} />
        ) : (
          <OrganisationReady onContinue={onDone}>{messages.invite.managersOnly}</OrganisationReady>
        )
      }
    </InOrganisation>
  )
}

function InvitePeople({
  organisation,
  onDone,
}: {
  organisation: Organisation
  onDone: () => void
}) {
  const members = useQuery(membersQuery()).data
  const [invited, setInvited] = useState(false)
  return (
    <>
      <InviteForm
        organisation={organisation}
        members={members?.length ?? organisation.members_count ?? 1}
        onInvited={() => setInvited(true)}
      />
      {members && <Invites />}
      {invited && (
        <Button variant="primary" className="mt-6" onClick={onDone}>
          {messages.proceed}
        </Button>
      )}
    </>
  )
}
