/** An address that breaks before its domain rather than within a word. */
export function EmailText({ email }: { email: string }) {
  const [name = '', domain = ''] = email.split(/(?<=@)/)
  return (
    <span>
      {name}
      <span className="inline-block max-w-full">{domain}</span>
    </span>
  )
}
