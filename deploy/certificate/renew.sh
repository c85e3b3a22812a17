#!/bin/sh
# Runs in the certbot container: gets a certificate of Let's Encrypt and renews it when a third of its time is left.
# Without CERTIFICATE_EMAIL it does nothing: then put fullchain.pem and privkey.pem into the folder yourself.
folder=${CERTIFICATE_FOLDER:-/certificates}
trap 'exit 0' TERM INT
if [ -z "$CERTIFICATE_EMAIL" ]; then
    echo "certificate: CERTIFICATE_EMAIL is not set, so the certificate is yours to renew"
    while sleep 86400 & wait $!; do :; done
fi
hook="cp \"\$RENEWED_LINEAGE/privkey.pem\" $folder/privkey.pem && cp \"\$RENEWED_LINEAGE/fullchain.pem\" $folder/fullchain.pem"
while :; do
    ${CERTBOT:-certbot} certonly --non-interactive --agree-tos --email "$CERTIFICATE_EMAIL" --webroot \
        --webroot-path "${CHALLENGE_FOLDER:-/var/www/html}" --domain "$ENFILADE_NAME" --keep-until-expiring \
        --deploy-hook "$hook" ||
        echo "certificate: the authority gave none; the next attempt is in ${CERTIFICATE_RETRY_SECONDS:-43200} seconds"
    sleep "${CERTIFICATE_RETRY_SECONDS:-43200}" &
    wait $!
done
