#!/bin/sh
# Runs in the nginx container before nginx starts. Without a certificate it makes one that signs itself, so that
# nginx starts and the authority's challenge is answered. Then it reloads nginx whenever the certificate changes.
set -e
folder=${CERTIFICATE_FOLDER:-/etc/nginx/certificates}
seconds=${CERTIFICATE_WATCH_SECONDS:-30}
if [ ! -s "$folder/fullchain.pem" ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$ENFILADE_NAME" \
        -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
    chmod 600 "$folder/privkey.pem"
    echo "certificate: $ENFILADE_NAME has one that signs itself until an authority's is there"
fi
(
    known=$(cksum <"$folder/fullchain.pem")
    while sleep "$seconds"; do
        now=$(cksum <"$folder/fullchain.pem")
        if [ "$now" != "$known" ] && ${NGINX:-nginx} -t -q; then
            ${NGINX:-nginx} -s reload
            known=$now
            echo "certificate: nginx uses the new one"
        fi
    done
) &
