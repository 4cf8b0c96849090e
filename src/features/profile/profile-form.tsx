import { useState } from 'react'
import { validateForm } from '../../../contract/errors.ts'
import { Profile, type User } from '../../../contract/schemas/people.ts'
import { useOutboxRead } from '../../sync/react/use-sync.ts'
import { SkeletonForm } from '../../ui/display/skeleton.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { TimeZoneField } from '../../ui/form/locale-fields.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { applyOwnOperations, useOwnOperations } from '../../data/queue-own-change.ts'
import {
  changesOf,
  nonEmptyFields,
  useEditor,
  type Fields,
} from '../../widgets/editing/use-editor.tsx'
import { editProfile, withProfile } from '../../data/profile.ts'
import { profileMessages as messages } from './messages.ts'

type ProfileField = 'name' | 'job_title' | 'phone' | 'timezone'

const userToFields = ({ name, job_title, phone, timezone }: User): Fields<ProfileField> => ({
  name,
  job_title: job_title ?? '',
  phone: phone ?? '',
  timezone,
})

interface ProfileFormProps {
  user: User
  /** Label of the submit button. */
  action?: string
  /** Time zone to prefill for users who have never chosen one. */
  timezone?: string
  onSaved: () => unknown
}

/** The user's own profile. Works offline. */
export function ProfileForm(props: ProfileFormProps) {
  return useOutboxRead() ? (
    <ProfileFields {...props} />
  ) : (
    <SkeletonForm label={editingMessages.loading} />
  )
}

function ProfileFields({ user, action = messages.save, timezone, onSaved }: ProfileFormProps) {
  const operations = useOwnOperations('updateUserinfo')
  const rejected = operations.find(({ state }) => state === 'attention')
  const [shown] = useState(() => applyOwnOperations(user, operations, withProfile))
  const editor = useEditor({
    draft: 'profile',
    id: 'profile',
    collection: 'getUserinfo',
    initial: userToFields(shown),
    rejected: rejected
      ? userToFields(withProfile(shown, rejected.input.body as object))
      : timezone === undefined
        ? undefined
        : { ...userToFields(shown), timezone },
    corrects: rejected,
    record: shown,
    labels: messages.fields,
    check: (fields) => validateForm(Profile, { name: '', ...nonEmptyFields(fields) }),
    // The fields of the rejected edit are sent with their values in this form, also where these are the stored ones.
    save: (value, changed, _, { draft, rejected: before }) => {
      const sent = Object.keys(before?.input.body ?? {}) as ProfileField[]
      return editProfile(changesOf(value, [...changed, ...sent]), draft)
    },
    done: onSaved,
  })
  const { field } = editor

  return (
    <PlainForm
      editor={editor}
      action={action}
      aside={<p className="text-sm text-ink-faint">{messages.offlineHint}</p>}
    >
      <TextField {...field('name')} autoComplete="name" />
      <TextField {...field('job_title')} autoComplete="organization-title" optional />
      <div className="grid grid-cols-1 items-end gap-5 sm:grid-cols-2">
        <TextField {...field('phone')} type="tel" autoComplete="tel" optional />
        <TimeZoneField {...field('timezone')} />
      </div>
    </PlainForm>
  )
}
