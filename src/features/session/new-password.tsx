import { Link, useNavigate } from 'react-router'
import { endpoints } from '../../../contract/endpoints.ts'
import { validateForm } from '../../../contract/errors.ts'
import { PasswordReset } from '../../../contract/schemas/people.ts'
import { sync } from '../../sync/client.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { isOver, LinkFacts } from './link-facts.tsx'
import { PasswordWarning } from './password-warning.tsx'
import { returnPath } from './return-path.ts'
import { accountMessages as messages } from './registration/account-messages.ts'
import { useLostAnswer } from './registration/use-lost-answer.ts'

/** `/auth#reset_token=…`: sets a new password with an e-mailed link, and signs in. */
export function NewPassword({ token }: { token: string }) {
  return (
    <LinkFacts key={token} kind="password" token={token}>
      {(facts) =>
        facts ? (
          <PasswordForm token={token} email={facts.email} />
        ) : (
          <>
            <PageHeading title={messages.resetExpiredTitle} />
            <p className="mt-1 mb-6 text-ink-muted">{messages.resetExpired}</p>
            <Link to="/auth?forgotten" className={buttonClass('primary')}>
              {messages.sendNewLink}
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
  const mayBeDone = useLostAnswer()
  const editor = useEditor({
    id: 'new',
    initial: { password: '', password_confirmation: '' },
    labels: {
      password: messages.newPassword,
      password_confirmation: messages.fields.password_confirmation,
    },
    check: (fields) => validateForm(PasswordReset, { ...fields, token }),
    save: async (body) => {
      const signIn = async () => email !== '' && (await sync().signIn(email, body.password)).ok
      try {
        await sync().call(endpoints.resetPassword, { body })
      } catch (problem) {
        // The link is used up; that the password is set shows in a sign-in.
        if (!mayBeDone(problem) || !isOver(problem) || !(await signIn())) throw problem
        toast(messages.passwordSet)
        return returnPath(null)
      }
      toast(messages.passwordSet)
      return (await signIn()) ? returnPath(null) : '/auth'
    },
    done: (to) => navigate(to, { replace: true }),
  })
  return (
    <>
      <PageHeading title={messages.newTitle} />
      <p className="mt-1 mb-7 text-ink-muted">{messages.newLead(email)}</p>
      <PlainForm
        wide
        editor={editor}
        action={messages.set}
        unavailable={offline ? messages.offline : undefined}
      >
        <PasswordWarning />
        {/* Tells password managers which account this is. */}
        <input type="email" value={email} autoComplete="username" readOnly hidden />
        <TextField
          {...editor.field('password')}
          type="password"
          autoComplete="new-password"
          hint={messages.passwordHint}
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
