-- Sign-ins with any OpenID Connect issuer. Processes of the previous version find none of them by their provider.
alter table social_sign_ins drop constraint social_sign_ins_provider_check;
alter table social_sign_ins add constraint social_sign_ins_provider_check
  check (provider in ('google', 'oidc'));
