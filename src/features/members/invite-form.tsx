import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { validateForm } from '../../../contract/errors.ts'
import { InviteDraft, ROLES } from '../../../contract/schemas/invites.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { isOwner, limitsOf } from '../../../contract/roles.ts'
import { useCapability, useConnection } from '../../sync/react/use-sync.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { useCurrentSession } from '../../data/current-session.ts'
import { invite } from '../../data/members.ts'
import { invitesQuery } from '../../data/members.ts'
import { MailNotice, mailToast } from '../session/mail-notice.tsx'
import { inviteMessages as messages, memberMessages } from './messages.ts'

interface InviteFormProps {
  organisation: Organisation
  members: number
  onInvited?: () => void
}

/**
 * Invites members one by one. When the subscription allows no more, it says so and how to get more.
 */
export function InviteForm({ organisation, members, onInvited }: InviteFormProps) {
  const user = useCurrentSession()?.user
  const queries = useQueryClient()
  const open = useQuery(invitesQuery()).data?.filter(({ status }) => status === 'pending')
  const [sent, setSent] = useState(0)
  const limit = limitsOf(organisation.plan).members
  const isFull = limit !== null && members + (open?.length ?? 0) >= limit

  return (
    <>
      {isFull ? (
        <Notice
          action={
            user &&
            isOwner(user, organisation) && (
              <Link to="/settings/organisation/plans" className={`${buttonClass()} -my-1`}>
                {messages.seePlans}
              </Link>
            )
          }
        >
          {messages.full(limit)}
        </Notice>
      ) : (
        <>
          <MailNotice />
          <Fields
            key={sent}
            onSent={(email) => {
              toast(mailToast(messages.sent(email)))
              onInvited?.()
              void queries.invalidateQueries(invitesQuery())
            }}
            onDone={() => setSent(sent + 1)}
          />
        </>
      )}
    </>
  )
}

interface FieldsProps {
  onSent: (email: string) => void
  /** Called after that while the form is shown. */
  onDone: () => void
}

function Fields({ onSent, onDone }: FieldsProps) {
  const offline = useConnection() === 'offline'
  // The specification invites by the address alone: elsewhere the role would be dropped without a word.
  const hasRole = useCapability('invites', true)
  const editor = useEditor({
    draft: 'invite',
    id: 'invite',
    initial: { email: '', role: 'member' },
    labels: messages.fields,
    check: (fields) => validateForm(InviteDraft, fields),
    save: async (body) => {
      await invite(hasRole ? body : { email: body.email })
      onSent(body.email)
    },
    done: onDone,
  })
  return (
    <PlainForm
      editor={editor}
      action={messages.send}
      unavailable={offline ? messages.offline : undefined}
    >
      <div className="grid items-start gap-5 sm:grid-cols-[1fr_11rem]">
        <TextField
          {...editor.field('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {hasRole && (
          <SelectField {...editor.field('role')}>
            {ROLES.toReversed().map((role) => (
              <option key={role} value={role}>
                {memberMessages.roles[role]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </PlainForm>
  )
}
