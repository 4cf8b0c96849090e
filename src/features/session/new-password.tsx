import { Link, useNavigate } from 'react-router'
import { endpoints } from '../../../contract/endpoints.ts'
import { validate } from '../../../contract/errors.ts'
import { PasswordReset } from '../../../contract/people.ts'
import { sync } from '../../sync/client.ts'
import { useConnection } from '../../sync/react.ts'
import { buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { toast } from '../../ui/toast.tsx'
import { PlainForm } from '../editing/plain-form.tsx'
import { useEditor } from '../editing/use-editor.tsx'
import { LinkFacts } from './link-facts.tsx'
import { returnPath } from './return-path.ts'
import { registrationWords as words } from './registration-words.ts'

/** `/auth#reset_token=…`: sets a new password by the link of a mail, and signs in with it. */
export function NewPassword({ token }: { token: string }) {
  return (
    <LinkFacts key={token} kind="password" token={token}>
      {(facts) =>
        facts ? (
          <PasswordForm token={token} email={facts.email} />
        ) : (
          <>
            <PageHeading title={words.resetOverTitle} />
            <p className="mt-1 mb-6 text-ink-muted">{words.resetOver}</p>
            <Link to="/auth?forgotten" className={buttonClass('primary')}>
              {words.again}
            </Link>
          </>
        )
      }
    </LinkFacts>
  )
}

function PasswordForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate()
  const offline = useConnection() === 'offline'
  const editor = useEditor({
    draft: 'new-password',
    id: 'new',
    said: { password: '', password_confirmation: '' },
    labels: {
      password: words.newPassword,
      password_confirmation: words.fields.password_confirmation,
    },
    check: (fields) => validate(PasswordReset, { ...fields, token }),
    save: async (body) => {
      await sync().call(endpoints.resetPassword, { body })
      toast(words.wasSet)
      const { ok } = await sync().signIn(email, body.password)
      return ok ? returnPath(null) : '/auth'
    },
    done: (to) => navigate(to, { replace: true }),
  })
  return (
    <>
      <PageHeading title={words.newTitle} />
      <p className="mt-1 mb-7 text-ink-muted">{words.newLead(email)}</p>
      <PlainForm
        wide
        editor={editor}
        action={words.set}
        unavailable={offline ? words.offline : undefined}
      >
        {/* For what keeps passwords: whose it is. */}
        <input type="email" value={email} autoComplete="username" readOnly hidden />
        <TextField
          {...editor.field('password')}
          type="password"
          autoComplete="new-password"
          hint={words.passwordHint}
        />
        <TextField
          {...editor.field('password_confirmation')}
          type="password"
          autoComplete="new-password"
        />
      </PlainForm>
    </>
  )
}
