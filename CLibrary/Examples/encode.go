// Encodes raw 16-bit samples in native byte order to ADTS:
//
//	encode 44100 2 128000 song.raw song.aac
//
// go build encode.go
package main

/*
#cgo pkg-config: linnet
#include <linnet.h>

// A macro, which Go cannot call.
static int init_settings(linnet_encoder_settings *settings, uint32_t rate, uint32_t channels) {
    return linnet_encoder_settings_init(settings, rate, channels);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"
)

// check converts a code to an error with the library's description.
func check(code C.int) error {
	if code == C.LINNET_OK {
		return nil
	}
	return errors.New(C.GoString(C.linnet_error_text(code)))
}

// drain passes all completed access units to the writer.
func drain(encoder *C.linnet_encoder, writer *C.linnet_writer) error {
	var unit C.linnet_unit
	for {
		if err := check(C.linnet_encoder_next(encoder, &unit)); err != nil || unit.size == 0 {
			return err
		}
		if err := check(C.linnet_writer_append(writer, &unit)); err != nil {
			return err
		}
	}
}

// encode converts interleaved samples in native byte order to ADTS.
func encode(rate, channels, bitRate int, samples []byte) ([]byte, error) {
	var settings C.linnet_encoder_settings
	if err := check(C.init_settings(&settings, C.uint32_t(rate), C.uint32_t(channels))); err != nil {
		return nil, err
	}
	settings.bit_rate = C.uint32_t(bitRate)
	var encoder *C.linnet_encoder
	if err := check(C.linnet_encoder_create(&settings, &encoder)); err != nil {
		return nil, err
	}
	defer C.linnet_encoder_destroy(encoder)
	var bytes *C.uint8_t
	var size, taken C.size_t
	if err := check(C.linnet_encoder_configuration(encoder, &bytes, &size)); err != nil {
		return nil, err
	}
	var writer *C.linnet_writer
	if err := check(C.linnet_writer_create(C.LINNET_FORMAT_ADTS, bytes, size, 0, &writer)); err != nil {
		return nil, err
	}
	defer C.linnet_writer_destroy(writer)
	for frame := 2 * channels; len(samples) >= frame; samples = samples[int(taken)*frame:] {
		first := (*C.int16_t)(unsafe.Pointer(&samples[0]))
		if err := check(C.linnet_encoder_write_int16(encoder, first, C.size_t(len(samples)/frame), &taken)); err != nil {
			return nil, err
		}
		if err := drain(encoder, writer); err != nil {
			return nil, err
		}
	}
	if err := check(C.linnet_encoder_finish(encoder)); err != nil {
		return nil, err
	}
	if err := drain(encoder, writer); err != nil {
		return nil, err
	}
	if err := check(C.linnet_writer_bytes(writer, &bytes, &size)); err != nil {
		return nil, err
	}
	return C.GoBytes(unsafe.Pointer(bytes), C.int(size)), nil
}

// run reads the arguments and encodes the file.
func run() error {
	if len(os.Args) != 6 {
		return errors.New("usage: encode RATE CHANNELS BIT-RATE INPUT OUTPUT")
	}
	var numbers [3]int
	for index := range numbers {
		number, err := strconv.Atoi(os.Args[index+1])
		if err != nil {
			return err
		}
		numbers[index] = number
	}
	samples, err := os.ReadFile(os.Args[4])
	if err != nil {
		return err
	}
	bytes, err := encode(numbers[0], numbers[1], numbers[2], samples)
	if err != nil {
		return err
	}
	return os.WriteFile(os.Args[5], bytes, 0o644)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "encode:", err)
		os.Exit(1)
	}
}
