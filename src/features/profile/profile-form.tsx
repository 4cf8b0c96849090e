import { useState } from 'react'
import { validate } from '../../../contract/errors.ts'
import { Profile, type User } from '../../../contract/people.ts'
import { TextField } from '../../ui/field.tsx'
import { TimeZoneField } from '../../ui/locale-fields.tsx'
import { PlainForm } from '../editing/plain-form.tsx'
import { foldOwn, useSaid, useSaidKnown } from '../editing/say-own.ts'
import { changesOf, filled, useEditor, type Fields } from '../editing/use-editor.tsx'
import { editProfile, withProfile } from './mutations.ts'
import { profileWords as words } from './words.ts'

type ProfileField = 'name' | 'email' | 'job_title' | 'phone' | 'timezone'

const fieldsOf = ({ name, email, job_title, phone, timezone }: User): Fields<ProfileField> => ({
  name,
  email,
  job_title: job_title ?? '',
  phone: phone ?? '',
  timezone,
})

interface ProfileFormProps {
  user: User
  /** The word on the button. */
  action?: string
  /** Where it is filled in from the start: of somebody who has never said. */
  timezone?: string
  onSaved: () => unknown
}

/** One's own profile. It works without a network. */
export function ProfileForm(props: ProfileFormProps) {
  return useSaidKnown() ? <ProfileFields {...props} /> : null
}

function ProfileFields({ user, action = words.save, timezone, onSaved }: ProfileFormProps) {
  const said = useSaid('updateUserinfo')
  const refused = said.find(({ state }) => state === 'attention')
  const [shown] = useState(() => foldOwn(user, said, withProfile))
  const editor = useEditor({
    draft: 'profile',
    id: 'profile',
    said: fieldsOf(shown),
    refused: refused
      ? fieldsOf(withProfile(shown, refused.input.body as object))
      : timezone === undefined
        ? undefined
        : { ...fieldsOf(shown), timezone },
    labels: words.fields,
    check: (fields) => validate(Profile, { name: '', email: '', ...filled(fields) }),
    save: (value, changed) => editProfile(changesOf(value, changed)),
    done: onSaved,
  })
  const { field } = editor

  return (
    <PlainForm
      editor={editor}
      action={action}
      beside={<p className="text-sm text-ink-faint">{words.offlineHint}</p>}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField {...field('name')} autoComplete="name" />
        <TextField {...field('job_title')} autoComplete="organization-title" optional />
      </div>
      <TextField
        {...field('email')}
        type="email"
        autoComplete="email"
        hint={words.emailHint}
        spellCheck={false}
      />
      <div className="grid items-end gap-5 sm:grid-cols-2">
        <TextField {...field('phone')} type="tel" autoComplete="tel" optional />
        <TimeZoneField {...field('timezone')} />
      </div>
    </PlainForm>
  )
}
